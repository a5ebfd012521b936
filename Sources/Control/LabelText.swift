import RecordKeeping

/// Validation of tags and notes, for the daemon and its clients.
package enum LabelText {
    /// Whether a text is a valid tag: one word of visible characters other than a comma, of at most `Limits.tagBytes`
    /// bytes. A leading `#` is invalid, because it begins a note in a watch-list file.
    package static func isTag(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= Limits.tagBytes && text.utf8.first != UInt8(ascii: "#")
            && text.unicodeScalars.allSatisfy {
                $0 != "," && !$0.properties.isWhitespace && !$0.isUnprintable
                    && $0.properties.generalCategory != .format
            }
    }

    /// Whether a string is an address. An address among the tags of a line indicates that a line break is missing.
    package static func isAddress(_ text: some StringProtocol) -> Bool {
        // Only the result matters here, not the reason for a rejection.
        (try? IPAddress(text)) != nil
    }

    /// Whether a text is a valid note: one line of at most `Limits.noteBytes` bytes without hidden characters.
    package static func isNote(_ text: String) -> Bool {
        text.utf8.count <= Limits.noteBytes && text.unicodeScalars.allSatisfy { !$0.isUnprintable }
    }
}

extension Unicode.Scalar {
    /// Whether this character is invisible, or can control a terminal, break a line, or change the direction of text
    /// ("Trojan Source", CVE-2021-42574).
    ///
    /// Joiners and directional marks are not included, because scripts and emoji need them.
    package var isUnprintable: Bool {
        if (0x20...0x7E).contains(value) { return false }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: Self.hidden.contains { $0.contains(value) }
        default: false
        }
    }

    /// The hidden format characters: soft hyphen, Mongolian vowel separator, zero width space, embeddings and
    /// overrides, word joiner to invisible plus, isolates, deprecated characters, byte order mark, annotations and
    /// tags.
    private static let hidden: [ClosedRange<UInt32>] = [
        0xAD...0xAD, 0x180E...0x180E, 0x200B...0x200B, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF,
        0xFFF9...0xFFFB, 0xE0000...0xE007F,
    ]
}
