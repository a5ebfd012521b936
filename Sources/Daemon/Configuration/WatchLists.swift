import Foundation
package import RecordKeeping

/// The watch-list files: `*.list` in one folder, one address a line, then optional tags, then an optional `# note`.
package struct WatchLists: Sendable {
    /// A line or a file that does not count, told with where and why.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package var file: String
        /// Counted from 1; nil for a file that cannot be read at all.
        package var line: Int?
        package var reason: String

        package var description: String {
            line.map { "line \($0) of \(file): \(reason)" } ?? "\(file): \(reason)"
        }
    }

    /// In the order of the files' names and of their lines.
    package private(set) var listed: [ListedAddress] = []
    package private(set) var problems: [Problem] = []

    /// Reads every list in a folder. A folder that is not there has no lists.
    package init(directory: String) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".list") }
        } catch CocoaError.fileReadNoSuchFile {
            return
        } catch {
            problems.append(Problem(file: directory, line: nil, reason: error.localizedDescription))
            return
        }
        for name in names.sorted() {
            let path = directory + "/" + name
            do {
                let contents = try Data(contentsOf: URL(fileURLWithPath: path))
                guard let text = String(validating: contents, as: UTF8.self) else {
                    problems.append(Problem(file: path, line: nil, reason: "this is no UTF-8 text"))
                    continue
                }
                read(text, file: path)
            } catch {
                problems.append(Problem(file: path, line: nil, reason: error.localizedDescription))
            }
        }
    }

    package init(text: String, file: String) {
        read(text, file: file)
    }

    private mutating func read(_ text: String, file: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            do {
                if let address = try Self.address(in: line) { listed.append(address) }
            } catch {
                problems.append(Problem(file: file, line: index + 1, reason: error.reason))
            }
        }
    }

    private struct BadLine: Error {
        let reason: String
    }

    private static func address(in line: Substring) throws(BadLine) -> ListedAddress? {
        let hash = line.firstIndex(of: "#")
        let words = line[..<(hash ?? line.endIndex)].split { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard let first = words.first else { return nil }
        let note = hash.map { line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces) }
        do {
            let address = try IPAddress(first)
            let tags = Set(words.dropFirst().map(String.init)).sorted()
            guard tags.count <= Limits.tagsPerEntry else {
                throw BadLine(reason: "an address has at most \(Limits.tagsPerEntry) tags, this has \(tags.count)")
            }
            if let tag = tags.first(where: { $0.contains(",") || $0.utf8.count > Limits.tagBytes }) {
                throw BadLine(reason: "\"\(tag)\" is no tag: a tag has no comma and at most \(Limits.tagBytes) bytes")
            }
            if let note, note.utf8.count > Limits.noteBytes {
                throw BadLine(reason: "a note has at most \(Limits.noteBytes) bytes")
            }
            return ListedAddress(address: address, tags: tags, note: note?.isEmpty == false ? note : nil)
        } catch let error as IPAddress.ParseError {
            throw BadLine(reason: "\"\(first)\" is no IP address: \(error)")
        } catch let error as BadLine {
            throw error
        } catch {
            preconditionFailure("the two errors above are all that is thrown")
        }
    }
}
