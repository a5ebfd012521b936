import Control
import Foundation
package import RecordKeeping

/// The watch-list files: `*.list` in one folder, one address a line, then optional tags, then an optional `# note`.
package struct WatchLists: Sendable {
    /// A line or a file that does not count, told with where and why.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package var file: String
        /// Counted from 1; nil for a file that cannot be read at all.
        package var line: Int?
        /// The column of an invalid byte, counted from 1; nil for any other problem.
        package var column: Int?
        package var reason: String

        package var description: String {
            if let line, let column { return "\(file):\(line):\(column): \(reason)" }
            return line.map { "line \($0) of \(file): \(reason)" } ?? "\(file): \(reason)"
        }
    }

    /// In the order of the files' names and of their lines.
    package private(set) var listed: [ListedAddress] = []
    package private(set) var problems: [Problem] = []
    /// Visible files in the directory that are not read because their names do not end in `.list`, except editors'
    /// backups.
    package private(set) var unreadFiles: [String] = []

    /// Reads every list in a folder. A folder that is not there has no lists.
    package init(directory: String) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
                // As a shell's `*.list` has it: what an editor hides beside a file is none.
                .filter { !$0.hasPrefix(".") }
        } catch CocoaError.fileReadNoSuchFile {
            return
        } catch {
            problems.append(Problem(file: directory, line: nil, reason: error.localizedDescription))
            return
        }
        for name in names.sorted() {
            let path = directory + "/" + name
            guard name.hasSuffix(".list") else {
                if !name.hasSuffix("~") { unreadFiles.append(path) }
                continue
            }
            do {
                read(WatchListText(utf8: try TextFile.bytes(atPath: path, mustBeRegular: true)), file: path)
            } catch {
                problems.append(Problem(file: path, line: nil, reason: "\(error)"))
            }
        }
    }

    package init(text: String, file: String) {
        read(WatchListText(text), file: file)
    }

    private mutating func read(_ list: WatchListText, file: String) {
        listed += list.listed
        problems += list.badLines.map { Problem(file: file, line: $0.number, column: $0.column, reason: $0.reason) }
    }
}
