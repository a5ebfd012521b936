/// Untrusted text, which may be long, or harmful on a terminal.
///
/// For example, the holder of an address chooses its reverse name, which operators then read on a terminal and in the
/// journal.
package struct UntrustedText {
    /// Maximum size of a record's string in bytes of UTF-8. A reverse name, the longest such string, is at most 253
    /// bytes long (RFC 1035 §2.3.4).
    package static let maxFieldBytes = 256

    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Returns the text, truncated at a character boundary to at most `maximumBytes` bytes of UTF-8.
    ///
    /// Control characters and bidirectional overrides become U+FFFD, so that they remain noticeable. Truncation is
    /// deterministic: a long text that stays the same does not appear as a change.
    package func bounded(to maximumBytes: Int) -> String {
        // Nearly all strings are short and harmless.
        if text.utf8.count <= maximumBytes, text.unicodeScalars.allSatisfy(Self.isHarmless) { return text }
        // U+FFFD may be longer than the character that it replaces, so replacement comes before truncation. Scalars far
        // beyond the bound are dropped first. This is safe: each scalar takes at least one byte, so the result never
        // contains the dropped scalars.
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(maximumBytes + 1) {
            clean.append(Self.isHarmless(scalar) ? scalar : "\u{FFFD}")
        }
        let whole = String(clean)
        guard whole.utf8.count > maximumBytes else { return whole }
        func fits(_ end: String.Index) -> Bool { whole[..<end].utf8.count <= maximumBytes }
        if let end = whole.indices.dropFirst().last(where: fits) { return String(whole[..<end]) }
        // The first character alone, with many combining marks, exceeds the bound: keep its beginning.
        return String(whole.unicodeScalars.indices.last(where: fits).map { whole[..<$0] } ?? "")
    }

    /// The text as a record stores it, at most ``maxFieldBytes`` long; nil if it is blank.
    package var field: String? {
        // If the first byte is visible ASCII, the text is not blank, and the rest need not be examined.
        guard text.utf8.first.map({ (0x21...0x7E).contains($0) }) ?? false || !text.allSatisfy(\.isWhitespace) else {
            return nil
        }
        return bounded(to: Self.maxFieldBytes)
    }

    /// The first line that is not blank, truncated for an error message; nil if all lines are blank.
    package func excerpt(_ maximumBytes: Int = 120) -> String? {
        let lines = text.unicodeScalars.prefix(4_096).split { $0 == "\n" || $0 == "\r" }
        for line in lines {
            let trimmed = line.drop { $0.properties.isWhitespace }
            guard !trimmed.isEmpty else { continue }
            let cut = UntrustedText(String(trimmed)).bounded(to: maximumBytes)
            return cut.utf8.count < String(trimmed).utf8.count ? cut + "…" : cut
        }
        return nil
    }

    /// Whether a scalar is harmless: not a control character (C0, DEL, C1), a line or paragraph separator, or a
    /// bidirectional override or isolate ("Trojan Source", CVE-2021-42574).
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}
