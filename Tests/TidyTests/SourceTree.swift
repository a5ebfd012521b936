import Foundation

/// A source file of this repository.
struct SourceFile {
    /// Relative to the root of the repository.
    var path: String
    var text: String
    /// The lines, without the empty one after the last line break.
    var lines: [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.last == "" ? lines.dropLast() : lines
    }

    /// The imported modules, each with its line number.
    var imports: [(module: String, line: Int)] {
        lines.enumerated().compactMap { index, line in
            guard
                let match = line.prefixMatch(
                    of: /(?:@\w+ +)?(?:\w+ +)?import +(?:(?:struct|enum|class|func|var) +)?(\w+)/)
            else { return nil }
            return (String(match.1), index + 1)
        }
    }
}

/// The directories and Swift files of this repository.
enum SourceTree {
    static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Returns all Swift files below a directory, sorted by path.
    static func files(in folder: String) throws -> [SourceFile] {
        let root = top.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        return try paths.sorted().map {
            SourceFile(path: "\(folder)/\($0)", text: try String(contentsOf: root.appending(path: $0), encoding: .utf8))
        }
    }

    /// Returns the names of the files and directories in a directory, sorted.
    static func folders(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: top.appending(path: folder).path).sorted()
    }
}
