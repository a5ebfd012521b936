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

    /// The listed addresses, in the order of file names and lines. An address may occur more than once.
    package private(set) var listed: [ListedAddress] = []
    package private(set) var problems: [Problem] = []
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
                read(WatchListText(utf8: try WholeFile.bytes(at: path, pipes: .refuse)), file: path)
            } catch {
                problems.append(Problem(file: path, line: nil, reason: "\(error)"))
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
        problems += list.badLines.map { Problem(file: file, line: $0.number, column: $0.column, reason: $0.reason) }
    }
}
