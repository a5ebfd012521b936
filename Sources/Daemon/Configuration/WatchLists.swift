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
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
                // As a shell's `*.list` has it: what an editor hides beside a file is none.
                .filter { $0.hasSuffix(".list") && !$0.hasPrefix(".") }
        } catch CocoaError.fileReadNoSuchFile {
            return
        } catch {
            problems.append(Problem(file: directory, line: nil, reason: error.localizedDescription))
            return
        }
        for name in names.sorted() {
            let path = directory + "/" + name
            do {
                read(try TextFile.text(atPath: path), file: path)
            } catch {
                problems.append(Problem(file: path, line: nil, reason: "\(error)"))
            }
        }
    }

    package init(text: String, file: String) {
        read(text, file: file)
    }

    private mutating func read(_ text: String, file: String) {
        // A line break of two characters is one `Character`, which is neither of them.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
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
            if let tag = tags.first(where: { !LabelText.isTag($0) }) {
                let rule = "a tag is one word, with no comma or control character, of at most \(Limits.tagBytes) bytes"
                throw BadLine(reason: "\"\(quoted(tag))\" is no tag: \(rule)")
            }
            if let note, !LabelText.isNote(note) {
                throw BadLine(reason: "a note has at most \(Limits.noteBytes) bytes, and no control character")
            }
            return ListedAddress(address: address, tags: tags, note: note?.isEmpty == false ? note : nil)
        } catch let error as IPAddress.ParseError {
            throw BadLine(reason: "\"\(quoted(first))\" is no IP address: \(error)")
        } catch let error as BadLine {
            throw error
        } catch {
            preconditionFailure("the two errors above are all that is thrown")
        }
    }

    /// What is told of a word that is wrong: as much of it as an address may have.
    private static func quoted(_ word: some StringProtocol) -> String {
        word.count <= longestQuote ? String(word) : word.prefix(longestQuote) + "…"
    }

    private static let longestQuote = 60
}
