extension String {
    /// This text with U+FFFD in place of each character that could move the cursor, change the terminal or disguise the
    /// text. Text from a provider, a watch list, a note or a client is untrusted.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isUnprintable ? "\u{FFFD}" : $0 }))
    }

    /// Returns this text with each line made ``printable``.
    package var printableLines: String {
        split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map { String($0).printable }
            .joined(separator: "\n")
    }
}
