import RecordKeeping

/// What a tag and a note may be, for both ends.
package enum LabelText {
    /// One word that one can see and type: without a comma, of at most `Limits.tagBytes`. A `#` in front would begin a note in a
    /// watch-list file.
    package static func isTag(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= Limits.tagBytes && text.utf8.first != UInt8(ascii: "#")
            && text.unicodeScalars.allSatisfy {
                $0 != "," && !$0.properties.isWhitespace && !$0.isDeceptive
                    && $0.properties.generalCategory != .format
            }
    }

    /// Whether a text is an address, which is not meant as a tag: an address in place of a tag is due to a missing line
    /// break.
    package static func isAddress(_ text: some StringProtocol) -> Bool {
        // The reason why a text is not an address does not matter here.
        (try? IPAddress(text)) != nil
    }

    /// One line of at most `Limits.noteBytes`.
    package static func isNote(_ text: String) -> Bool {
        text.utf8.count <= Limits.noteBytes && text.unicodeScalars.allSatisfy { !$0.isDeceptive }
    }
}

extension Unicode.Scalar {
    /// Steers a terminal, breaks a line, turns the direction of writing ("Trojan Source", CVE-2021-42574), or hides.
    ///
    /// The joiners and the marks of direction are not among these: scripts and emoji are written with them.
    package var isDeceptive: Bool {
        if (0x20...0x7E).contains(value) { return false }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: Self.hidden.contains { $0.contains(value) }
        default: false
        }
    }

    /// Of the format characters: soft hyphen, Mongolian vowel separator, zero width space, the embeddings and overrides, word
    /// joiner to invisible plus, the isolates and what is deprecated, byte order mark, annotations, tags.
    private static let hidden: [ClosedRange<UInt32>] = [
        0xAD...0xAD, 0x180E...0x180E, 0x200B...0x200B, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF,
        0xFFF9...0xFFFB, 0xE0000...0xE007F,
    ]
}
