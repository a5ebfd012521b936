package import RecordKeeping

/// The contents of a watch-list file: one address per line, then optional tags, then an optional `# note`.
///
/// The daemon and `ipctl doctor` both use this parser, so they find the same errors.
package struct WatchListText: Sendable {
    /// A line that is ignored, with the reason.
    package struct BadLine: Hashable, Sendable {
        /// The line number, counted from 1.
        package let number: Int
        /// The column of an invalid byte, in Unicode scalars, counted from 1; nil for any other reason.
        package let column: Int?
        package let reason: String
    }

    /// The addresses in the order of their lines. An address may occur more than once.
    package private(set) var listed: [ListedAddress] = []
    package private(set) var badLines: [BadLine] = []

    package init(_ text: String) {
        self.init(utf8: Array(text.utf8))
    }

    /// - Parameter bytes: the contents of a file. A line that is not valid UTF-8 is ignored.
    package init(utf8 bytes: [UInt8]) {
        for (index, line) in bytes.split(separator: Self.lineFeed, omittingEmptySubsequences: false).enumerated() {
            do throws(Refusal) {
                let text = try Self.text(of: line)
                if let address = try Self.address(in: index == 0 ? text.withoutByteOrderMark : text[...]) {
                    listed.append(address)
                }
            } catch {
                badLines.append(BadLine(number: index + 1, column: error.column, reason: error.reason))
            }
        }
    }

    /// The reason why a line is ignored.
    package struct Refusal: Error {
        /// The column of an invalid byte; nil for any other reason.
        package var column: Int?
        package let reason: String
    }

    private static let lineFeed = UInt8(ascii: "\n")

    /// Decodes a line.
    ///
    /// - Parameter line: a line without its LF; a CR at the end is dropped.
    /// - Throws: `Refusal` with the column of the first invalid byte.
    private static func text(of line: ArraySlice<UInt8>) throws(Refusal) -> String {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        if let text = String(validating: line, as: UTF8.self) { return text }
        var valid = 0
        var decoder = UTF8()
        var rest = line.makeIterator()
        while case .scalarValue = decoder.decode(&rest) { valid += 1 }
        let byte = line.dropFirst(Self.utf8Count(of: valid, in: line)).first ?? 0
        let digits = String(byte, radix: 16)
        throw Refusal(column: valid + 1, reason: "not valid UTF-8: byte 0x\(digits)")
    }

    /// Returns the number of UTF-8 bytes of the first `scalars` scalars of a line.
    private static func utf8Count(of scalars: Int, in line: ArraySlice<UInt8>) -> Int {
        String(decoding: line, as: UTF8.self).unicodeScalars.prefix(scalars).reduce(0) { $0 + UTF8.width($1) }
    }

    /// Parses the address and the labels of one line.
    ///
    /// - Parameter line: a line without its line break; a CR at the end is treated as a space.
    /// - Returns: nil if the line is empty or a comment.
    package static func address(in line: Substring) throws(Refusal) -> ListedAddress? {
        // Split by scalars: a space followed by a combining character still separates words.
        let scalars = line.unicodeScalars
        let hash = scalars.firstIndex(of: "#")
        let words = scalars[..<(hash ?? scalars.endIndex)].split { $0 == " " || $0 == "\t" || $0 == "\r" }
            .map { Substring($0) }
        guard let first = words.first else { return nil }
        let address: IPAddress
        do {
            address = try IPAddress(first)
        } catch {
            throw Refusal(reason: "\"\(quoted(first))\" is not an IP address: \(error)")
        }
        let tags = Set(words.dropFirst().map(String.init)).sorted()
        guard tags.count <= Limits.tagsPerEntry else {
            throw Refusal(reason: "an address can have at most \(Limits.tagsPerEntry) tags, got \(tags.count)")
        }
        if let tag = tags.first(where: { !LabelText.isTag($0) }) {
            throw Refusal(
                reason: "\"\(quoted(tag))\" is not a valid tag: a tag is a single word of at most \(Limits.tagBytes) "
                    + "bytes, with no comma, leading # or invisible characters")
        }
        if let tag = tags.first(where: LabelText.isAddress) {
            throw Refusal(reason: "\"\(tag)\" is an address, not a tag: write one address per line")
        }
        let note = hash.map { String(scalars[scalars.index(after: $0)...]).trimmed }
        if let note, !LabelText.isNote(note) {
            throw Refusal(
                reason: "\"\(quoted(note))\" is not a valid note: a note is a single line of at most "
                    + "\(Limits.noteBytes) bytes, with no control or invisible characters")
        }
        return ListedAddress(address: address, tags: tags, note: note?.isEmpty == false ? note : nil)
    }

    /// Returns the beginning of an invalid word. The result is printable, because a third party may have written the
    /// list.
    private static func quoted(_ word: some StringProtocol) -> String {
        (word.count <= maxQuote ? String(word) : word.prefix(maxQuote) + "…").printable
    }

    /// Maximum number of characters that are quoted; a valid address is shorter.
    private static let maxQuote = 60
}

extension String {
    /// This string without leading and trailing tabs and spaces of any width.
    fileprivate var trimmed: String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
        }
        var scalars = unicodeScalars.drop(while: isBlank)
        while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        return String(scalars)
    }
}
