import Testing

@testable import ipctl

@Suite struct CardTests {
    private static var card: Card {
        var card = Card(title: "192.0.2.1", style: .good, subtitle: "fresh")
        card.add("Place", "Berlin")
        card.add("Reverse name", "host.example", .notable)
        card.add("Nothing", nil)
        card.add("Nothing", "")
        return card
    }

    @Test func `labels are right-aligned, and unknown values have no line`() {
        #expect(
            Self.card.lines(on: .pipe) == [
                "192.0.2.1  fresh", "         Place  Berlin", "  Reverse name  host.example",
            ])
    }

    @Test func `a card without lines is its title`() {
        #expect(Card(title: "a").lines(on: .pipe) == ["a"])
    }

    @Test func `a long value is wrapped between words`() {
        var card = Card(title: "t")
        card.add("Note", "one two three four five six seven")
        #expect(
            card.lines(on: .wide(30)) == ["t", "  Note  one two three four", "        five six seven"])
        #expect(card.lines(on: .pipe) == ["t", "  Note  one two three four five six seven"])
    }

    @Test(arguments: 30...60) func `wrapped values are no wider than the terminal and lose no word`(columns: Int) {
        let words = ["東京", "e\u{301}", "Berlin,", "a", "network", "of", "them"]
        let text = (0..<30).map { words[$0 % words.count] }.joined(separator: " ")
        var card = Card(title: "t")
        card.add("Label", text)
        let lines = card.lines(on: .wide(columns))
        for line in lines { #expect(line.displayWidth <= columns) }
        #expect(
            lines.dropFirst().joined(separator: " ").split(separator: " ").joined(separator: " ") == "Label " + text)
    }

    @Test func `a word that is longer than the line stays whole`() {
        var card = Card(title: "t")
        let word = String(repeating: "x", count: 100)
        card.add("L", "a \(word) b")
        #expect(card.lines(on: .wide(30)) == ["t", "  L  a", "     " + word, "     b"])
    }

    @Test func `a value's text cannot change the terminal`() {
        var card = Card(title: "t")
        card.add("Note", "a\u{1B}]0;x\u{7}\nb")
        #expect(card.lines(on: .pipe) == ["t", "  Note  a\u{FFFD}]0;x\u{FFFD}\u{FFFD}b"])
    }

    @Test func `colours stand around the texts`() {
        #expect(
            Self.card.lines(on: Terminal(hasColor: true, columns: 80)) == [
                "\u{1B}[1m192.0.2.1\u{1B}[0m  \u{1B}[32mfresh\u{1B}[0m", "  \u{1B}[2m       Place\u{1B}[0m  Berlin",
                "  \u{1B}[2mReverse name\u{1B}[0m  \u{1B}[36mhost.example\u{1B}[0m",
            ])
    }
}
