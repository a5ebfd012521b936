import Testing

@testable import ipctl

@Suite struct KeyReaderTests {
    private static func keys(_ chunks: [String]) -> [KeyPress] {
        var reader = KeyReader()
        return chunks.flatMap { reader.keys(in: Array($0.utf8)) } + reader.pendingKeys()
    }

    @Test(
        arguments: [
            ("\u{1B}[A", [.up]), ("\u{1B}[B", [.down]), ("\u{1B}OA", [.up]), ("\u{1B}OB", [.down]),
            ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6~", [.pageDown]), ("\u{1B}[H", [.home]), ("\u{1B}[1~", [.home]),
            ("\r", [.enter]), ("\n", [.enter]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
            ("\u{C}", [.redraw]), ("\u{1B}", [.escape]), ("q", [.character("q")]), ("é", [.character("é")]),
            ("j\u{1B}[Bk", [.character("j"), .down, .character("k")]), ("\u{1B}[A\u{1B}[A", [.up, .up]),
        ] as [(String, [KeyPress])])
    func `each key is recognised`(typed: String, keys: [KeyPress]) {
        #expect(Self.keys([typed]) == keys)
    }

    @Test(arguments: ["\u{1B}[1;5A", "\u{1B}[24~", "\u{1B}OP", "\u{1B}x", "\u{1}", "\t", "\u{1B}[9999999999999999999"])
    func `an unknown sequence is ignored, and later keys are read`(typed: String) {
        #expect(Self.keys([typed, "q"]) == [.character("q")])
    }

    @Test(
        arguments: [
            ("\u{1B}[A", .up), ("\u{1B}OF", .end), ("\u{1B}[<65;120;40M", .wheelDown),
            ("\u{1B}[<0;120;40M", .click(column: 119, row: 39)),
        ] as [(String, KeyPress)])
    func `a sequence may arrive in several reads`(typed: String, key: KeyPress) {
        let bytes = Array(typed.utf8)
        for split in 1..<bytes.count {
            var reader = KeyReader()
            #expect(reader.keys(in: bytes[..<split]) == [])
            #expect(reader.isPending)
            #expect(reader.keys(in: bytes[split...] + "q".utf8) == [key, .character("q")])
            #expect(!reader.isPending)
        }
        var reader = KeyReader()
        #expect(bytes.flatMap { reader.keys(in: [$0]) } == [key])
    }

    @Test func `an escape is the Escape key if nothing follows`() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0x1B]) == [])
        #expect(reader.isPending)
        #expect(reader.pendingKeys() == [.escape])
        #expect(!reader.isPending)
        #expect(reader.pendingKeys() == [])
    }

    @Test func `a character may arrive in several reads`() {
        var reader = KeyReader()
        let bytes = Array("東é".utf8)
        let keys = bytes.flatMap { reader.keys(in: [$0]) }
        #expect(keys == [.character("東"), .character("é")])
    }

    @Test func `invalid UTF-8 is skipped, and any input is consumed`() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0xFF, 0x80, 0xC0, 0xE6, 0x41, 0x42]) == [.character("A"), .character("B")])
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                var reader = KeyReader()
                _ = reader.keys(in: [first, second])
                #expect(reader.keys(in: Array("qqqq".utf8)).contains(.character("q")))
            }
        }
    }
}
