import Control
import Files
import Foundation
package import RecordKeeping

/// The contents of the watch-list files: `*.list` in one directory, with one address per line, followed by optional
/// tags and an optional `# note`.
package struct WatchLists: Sendable {
    /// A line or file that is ignored, with its position and the reason.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package var file: String
        /// The line, counted from 1; nil if the file or the directory cannot be read.
        package var line: Int?
        /// The column of an invalid byte, counted from 1; nil for any other problem.
        package var column: Int?
        package var reason: String

        package var description: String {
            if let line, let column { return "\(file):\(line):\(column): \(reason)" }
            return line.map { "line \($0) of \(file): \(reason)" } ?? "\(file): \(reason)"
        }
    }

    /// A file whose name ends in `.list`.
    struct File: Sendable {
        let path: String
        /// The number of addresses in it.
        var addresses = 0
        /// The reason why it cannot be read; nil if it was read.
        var problem: String?
        var badLines: [WatchListText.BadLine] = []
    }

    /// The listed addresses, in the order of file names and lines. An address may occur more than once.
    package private(set) var listed: [ListedAddress] = []
    private(set) var files: [File] = []
    /// The reason why the directory cannot be read; nil if it was read, or does not exist.
    private(set) var directoryProblem: Problem?
    /// Visible files in the directory that are not read because their names do not end in `.list`, except editors'
    /// backups.
    package private(set) var unreadFiles: [String] = []

    /// Reads every list in a directory. A missing directory has no lists, and is not a problem.
    package init(directory: String) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
                // Hidden files are skipped, as in a shell's `*.list`: editors create such files next to a list.
                .filter { !$0.hasPrefix(".") }
        } catch CocoaError.fileReadNoSuchFile {
            return
        } catch {
            directoryProblem = Problem(file: directory, line: nil, reason: error.localizedDescription)
            return
        }
        for name in names.sorted() {
            let path = directory + "/" + name
            guard name.hasSuffix(".list") else {
                if !name.hasSuffix("~") { unreadFiles.append(path) }
                continue
            }
            do {
                read(WatchListText(utf8: try WholeFile.bytes(at: path, pipes: .refuse)), file: path)
            } catch {
                files.append(File(path: path, problem: "\(error)"))
            }
        }
    }

    /// Reads a single list.
    ///
    /// - Parameter file: the file name for problems.
    package init(text: String, file: String) {
        read(WatchListText(text), file: file)
    }

    private mutating func read(_ list: WatchListText, file: String) {
        listed += list.listed
        files.append(File(path: file, addresses: list.listed.count, badLines: list.badLines))
    }

    /// All problems, in the order of file names and lines.
    package var problems: [Problem] {
        var problems = directoryProblem.map { [$0] } ?? []
        for file in files {
            if let reason = file.problem { problems.append(Problem(file: file.path, line: nil, reason: reason)) }
            problems += file.badLines.map {
                Problem(file: file.path, line: $0.number, column: $0.column, reason: $0.reason)
            }
        }
        return problems
    }
}
