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
    /// The directory's files, and everything in them that is ignored. Editors' backups are left out.
    private(set) var report: CheckReport.Lists

    /// Reads every list in a directory. A missing directory has no lists, and is not a problem.
    package init(directory: String) {
        report = CheckReport.Lists(directory: directory, problem: nil, files: [], unreadFiles: [])
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
                // Hidden files are skipped, as in a shell's `*.list`: editors create such files next to a list.
                .filter { !$0.hasPrefix(".") }
        } catch CocoaError.fileReadNoSuchFile {
            return
        } catch {
            report.problem = error.localizedDescription
            return
        }
        for name in names.sorted() {
            let path = directory + "/" + name
            guard name.hasSuffix(".list") else {
                if !name.hasSuffix("~") { report.unreadFiles.append(path) }
                continue
            }
            do {
                read(WatchListText(utf8: try WholeFile.bytes(at: path, pipes: .refuse)), file: path)
            } catch {
                report.files.append(CheckReport.List(path: path, addresses: 0, problem: "\(error)"))
            }
        }
    }

    /// Adds a list.
    ///
    /// - Parameter file: the file name for problems.
    mutating func read(_ list: WatchListText, file: String) {
        listed += list.listed
        let ignored = list.badLines.map {
            CheckReport.IgnoredLine(line: $0.number, column: $0.column, reason: $0.reason)
        }
        report.files.append(CheckReport.List(path: file, addresses: list.listed.count, ignoredLines: ignored))
    }
}

extension CheckReport.Lists {
    /// The directory, files and lines that are ignored, in the order of file names and lines.
    var ignored: [WatchLists.Problem] {
        var problems = problem.map { [WatchLists.Problem(file: directory, reason: $0)] } ?? []
        for file in files {
            if let reason = file.problem { problems.append(WatchLists.Problem(file: file.path, reason: reason)) }
            problems += file.ignoredLines.map {
                WatchLists.Problem(file: file.path, line: $0.line, column: $0.column, reason: $0.reason)
            }
        }
        return problems
    }
}
