package import RecordKeeping

/// What a watch-list file says: one address a line, then optional tags, then an optional `# note`.
///
/// The daemon takes its lists from this, and who looks for what is wrong with a list has to find the same.
package struct WatchListText: Sendable {
    /// A line that does not count, with why.
    package struct BadLine: Hashable, Sendable {
        /// Counted from 1.
        package let number: Int
        package let reason: String
    }

    /// In the order of the lines.
    package private(set) var listed: [ListedAddress] = []
    package private(set) var badLines: [BadLine] = []

    package init(_ text: String) {
        // A line break of two characters is one `Character`, which is neither of them.
        let lines = text.withoutByteOrderMark.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            do throws(Refusal) {
                if let address = try Self.address(in: line) { listed.append(address) }
            } catch {
                badLines.append(BadLine(number: index + 1, reason: error.reason))
            }
        }
    }

    private struct Refusal: Error {
        let reason: String
    }

    private static func address(in line: Substring) throws(Refusal) -> ListedAddress? {
        // Scalars, for a blank with an accent on it is a blank, too.
        let scalars = line.unicodeScalars
        let hash = scalars.firstIndex(of: "#")
        let words = scalars[..<(hash ?? scalars.endIndex)].split { $0 == " " || $0 == "\t" || $0 == "\r" }
            .map { Substring($0) }
        guard let first = words.first else { return nil }
        let address: IPAddress
        do {
            address = try IPAddress(first)
        } catch {
            throw Refusal(reason: "\"\(quoted(first))\" is no IP address: \(error)")
        }
        let tags = Set(words.dropFirst().map(String.init)).sorted()
        guard tags.count <= Limits.tagsPerEntry else {
            throw Refusal(reason: "an address has at most \(Limits.tagsPerEntry) tags, this has \(tags.count)")
        }
        if let tag = tags.first(where: { !LabelText.isTag($0) }) {
            let rule = "a tag is one word, with no comma or control character, of at most \(Limits.tagBytes) bytes"
            throw Refusal(reason: "\"\(quoted(tag))\" is no tag: \(rule)")
        }
        let note = hash.map { String(scalars[scalars.index(after: $0)...]).withoutBlanksAround }
        if let note, !LabelText.isNote(note) {
            throw Refusal(reason: "a note has at most \(Limits.noteBytes) bytes, and no control character")
        }
        return ListedAddress(address: address, tags: tags, note: note?.isEmpty == false ? note : nil)
    }

    /// What is told of a word that is wrong: as much of it as an address may have.
    private static func quoted(_ word: some StringProtocol) -> String {
        word.count <= longestQuote ? String(word) : word.prefix(longestQuote) + "…"
    }

    private static let longestQuote = 60
}

extension String {
    /// This without the spaces, of any width, and the tabs at its ends.
    fileprivate var withoutBlanksAround: String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
        }
        var scalars = unicodeScalars.drop(while: isBlank)
        while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        return String(scalars)
    }
}
