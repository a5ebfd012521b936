extension String {
    /// The width of the text in terminal columns: 0 for combining characters, 2 for wide East Asian characters (Unicode
    /// Standard Annex #11) and emoji.
    var displayWidth: Int {
        unicodeScalars.reduce(0) { $0 + $1.displayWidth }
    }

    /// Pads the text to at least `width` columns.
    func padded(to width: Int, onTheLeft: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, width - displayWidth))
        return onTheLeft ? padding + self : self + padding
    }

    /// Truncates the text to at most `width` columns, with an ellipsis.
    func cut(to width: Int) -> String {
        guard displayWidth > width else { return self }
        var (text, used) = ("", 0)
        for character in self {
            let columns = String(character).displayWidth
            guard used + columns <= width - 1 else { break }
            text.append(character)
            used += columns
        }
        return text + "…"
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch value {
        case 0x1160...0x11FF, 0xD7B0...0xD7FB:
            // Vowels and final consonants of Hangul, which share the cell of their initial consonant.
            return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F200...0x1F251,
            0x20000...0x3FFFD:
            return 2
        case 0x1F1E6...0x1F1FF:
            // Regional indicators; two of them form a flag.
            return 1
        default:
            return properties.isEmojiPresentation ? 2 : 1
        }
    }
}
