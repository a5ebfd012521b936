/// A text that somebody else wrote: not trusted to be short, or harmless on a terminal.
///
/// A reverse name is chosen by whoever holds the address, and ends in an operator's terminal and journal.
struct ForeignText {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The text, cut at a character's end to at most so many bytes of UTF-8.
    ///
    /// What steers a terminal or turns the direction of writing becomes U+FFFD, so that one sees that it was there.
    /// The cut is deterministic: the same long text is the same afterwards, and no change is told that is none.
    func bounded(to maximumBytes: Int) -> String {
        // Almost every text is printable ASCII and short.
        if text.utf8.count <= maximumBytes, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        // U+FFFD may be longer than what it replaces, so the cleaning comes first; what is far too long to matter is
        // left off before that. Cutting by scalars here is safe: the cut by characters below is nearer.
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(maximumBytes + 1) {
            clean.append(Self.isHarmless(scalar) ? scalar : "\u{FFFD}")
        }
        let whole = String(clean)
        guard whole.utf8.count > maximumBytes else { return whole }
        var end = whole.startIndex
        var bytes = 0
        for index in whole.indices {
            bytes += whole[index].utf8.count
            guard bytes <= maximumBytes else { break }
            end = whole.index(after: index)
        }
        guard end == whole.startIndex else { return String(whole[..<end]) }
        // One character of many combining marks: its beginning is still better than nothing.
        var beginning = String.UnicodeScalarView()
        for scalar in whole.unicodeScalars {
            bytes = String(beginning).utf8.count + UTF8.width(scalar)
            guard bytes <= maximumBytes else { break }
            beginning.append(scalar)
        }
        return String(beginning)
    }

    /// The first line that is not blank, bounded, for an error message.
    func excerpt(_ maximumBytes: Int = 120) -> String? {
        let lines = text.unicodeScalars.prefix(4_096).split { $0 == "\n" || $0 == "\r" }
        for line in lines {
            let trimmed = line.drop { $0.properties.isWhitespace }
            guard !trimmed.isEmpty else { continue }
            let cut = ForeignText(String(trimmed)).bounded(to: maximumBytes)
            return cut.utf8.count < String(trimmed).utf8.count ? cut + "…" : cut
        }
        return nil
    }

    /// Unicode's control characters (C0, DEL, C1), line and paragraph separators, and the bidirectional overrides and
    /// isolates ("Trojan Source", CVE-2021-42574).
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
        }
    }
}
