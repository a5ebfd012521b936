import Control
import Testing

@testable import ipctl

@Suite struct DisplayWidthTests {
    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("Zürich", 6), ("Ελλάδα", 6), ("Москва", 6), ("→ …", 3), ("½°", 2),
            // Wide East Asian characters (UAX #11: W and F), and those that are not.
            ("東京", 4), ("서울", 4), ("ひらがな", 8), ("ＡＢ", 4), ("ﾊﾝ", 2), ("　", 2), ("𠮷", 2), ("〒100", 5), ("「」", 4),
            // Combining characters.
            ("e\u{301}", 1), ("n\u{303}o", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("क्", 1), ("a\u{200B}b", 2),
            ("a\u{200D}", 1),
            ("שָׁלוֹם", 4),
            // Emoji of all blocks.
            ("😀", 2), ("🌍", 2), ("🚀", 2), ("🟢", 2), ("🤖", 2), ("🪐", 2), ("✅", 2), ("⌚", 2), ("⭐", 2), ("⚡", 2),
            ("❌", 2),
            ("🇩🇪", 2), ("🀄", 2), ("🃏", 2), ("🆗", 2), ("☎", 1), ("✓", 1), ("©", 1), ("1#*", 3),
        ])
    func `a text is as wide as a terminal shows it`(text: String, width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test(
        arguments: [
            ("abc", 5, "abc  ", "  abc"), ("abc", 3, "abc", "abc"), ("abc", 2, "abc", "abc"), ("", 2, "  ", "  "),
            ("東", 3, "東 ", " 東"), ("e\u{301}", 2, "e\u{301} ", " e\u{301}"),
        ])
    func `padding counts columns`(text: String, width: Int, right: String, left: String) {
        #expect(text.padded(to: width) == right)
        #expect(text.padded(to: width, onTheLeft: true) == left)
    }

    @Test(
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("東京都", 6, "東京都"), ("東京都", 5, "東京…"),
            ("東京都", 4, "東…"), ("東京都", 2, "…"), ("ne\u{301}e\u{301}e", 3, "ne\u{301}…"), ("", 0, ""),
        ])
    func `truncated text fits and ends with an ellipsis`(text: String, width: Int, result: String) {
        #expect(text.cut(to: width) == result)
        #expect(text.cut(to: width).displayWidth <= width)
    }

    @Test func `truncation never splits a character`() {
        let characters = ["a", "東", "e\u{301}", "🚀", "🇩🇪", " ", "é"].map { Character($0) }
        for start in characters.indices {
            let text = String((0..<20).map { characters[(start + $0 * 3) % characters.count] })
            for width in 1...40 {
                let cut = text.cut(to: width)
                #expect(cut.displayWidth <= width)
                #expect(cut == text || text.hasPrefix(cut.dropLast()) && cut.last == "…")
            }
        }
    }

    @Test(
        arguments: [
            ("harmless, also Zürich, 東京 and 🇩🇪", "harmless, also Zürich, 東京 and 🇩🇪"), ("", ""),
            ("red\u{1B}[31m", "red\u{FFFD}[31m"), ("a\nb\tc\r\n", "a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}"),
            ("\u{202E}moc.elpmaxe\u{202C}", "\u{FFFD}moc.elpmaxe\u{FFFD}"),
            ("a\u{2066}b\u{2069}", "a\u{FFFD}b\u{FFFD}"),
            ("a\u{2028}b\u{200B}c\u{AD}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"), ("👨‍👩‍👧 نمی‌دانم", "👨‍👩‍👧 نمی‌دانم"),
            ("\u{0}\u{7}\u{7F}\u{9B}2J", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}2J"),
        ])
    func `control characters are not printed`(text: String, result: String) {
        #expect(text.printable == result)
    }
}
