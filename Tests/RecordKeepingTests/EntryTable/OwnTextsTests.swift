import Testing

@testable import RecordKeeping

/// The postal code and the reverse name of a record.
@Suite struct OwnTextsTests {
    private static let zips = [
        nil, "1", "10115", "SW1A 1AA", "〒100-0001", "e\u{301}", "nul\0 byte", String(repeating: "9", count: 255),
        String(repeating: "9", count: 256), String(repeating: "ü", count: 150),
        String(repeating: "9", count: OwnTexts.maxZipBytes),
    ]
    private static let names = [
        nil, "a.example", "größe.example", "日本.example", "\u{E9}", String(repeating: "x", count: 70_000),
    ]

    /// Passes the bytes of a text to `body`; no bytes for no text.
    private func withBytes<Result>(_ text: String?, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        Array((text ?? "").utf8).withUnsafeBufferPointer(body)
    }

    /// Returns the texts that are made of bytes; nil if a byte is not ASCII.
    private func texts(ofASCII zip: String?, _ reverse: String?) -> OwnTexts? {
        withBytes(zip) { zip in withBytes(reverse) { reverse in OwnTexts(asciiZip: zip, reverse: reverse) } }
    }

    @Test(arguments: zips, names) func `both texts are returned as they were stored`(zip: String?, reverse: String?) {
        let texts = OwnTexts(zip: zip, reverse: reverse)
        #expect(texts.zip.map { Array($0.utf8) } == zip.map { Array($0.utf8) })
        #expect(texts.reverse.map { Array($0.utf8) } == reverse.map { Array($0.utf8) })
        let areSame = texts.withBytes { $0.elementsEqual((zip ?? "").utf8) && $1.elementsEqual((reverse ?? "").utf8) }
        #expect(areSame)
        #expect(texts == OwnTexts(zip: zip, reverse: reverse))
        #expect(texts.hashValue == OwnTexts(zip: zip, reverse: reverse).hashValue)
    }

    @Test(arguments: zips, names) func `only ASCII bytes are accepted as ASCII`(zip: String?, reverse: String?) {
        let isASCII = [zip, reverse].allSatisfy { $0?.utf8.allSatisfy { $0 < 0x80 } ?? true }
        #expect(texts(ofASCII: zip, reverse) == (isASCII ? OwnTexts(zip: zip, reverse: reverse) : nil))
    }

    @Test func `bytes of a postal code that is too long are not accepted`() {
        #expect(texts(ofASCII: String(repeating: "9", count: OwnTexts.maxZipBytes), "a.example") != nil)
        #expect(texts(ofASCII: String(repeating: "9", count: OwnTexts.maxZipBytes + 1), "a.example") == nil)
    }

    @Test func `a value without any text equals the initial one`() {
        #expect(OwnTexts(zip: nil, reverse: nil) == OwnTexts())
        #expect(texts(ofASCII: nil, nil) == OwnTexts())
        #expect(OwnTexts().zip == nil && OwnTexts().reverse == nil)
    }

    @Test func `equality compares the bytes of each text`() {
        #expect(OwnTexts(zip: "\u{E9}", reverse: nil) != OwnTexts(zip: "e\u{301}", reverse: nil))
        #expect(OwnTexts(zip: nil, reverse: "\u{E9}") != OwnTexts(zip: nil, reverse: "e\u{301}"))
        #expect(OwnTexts(zip: "ab", reverse: "c") != OwnTexts(zip: "a", reverse: "bc"))
        #expect(OwnTexts(zip: "a", reverse: nil) != OwnTexts(zip: nil, reverse: "a"))
        #expect(OwnTexts(zip: "a", reverse: nil) != OwnTexts())
    }

    @Test func `a change of one text of a record leaves the other unchanged`() {
        var record = Record()
        record.zip = "10115"
        record.reverse = "a.example"
        #expect(record.zip == "10115" && record.reverse == "a.example")
        record.zip = nil
        #expect(record.zip == nil && record.reverse == "a.example")
        record.zip = "53111"
        record.reverse = nil
        #expect(record.zip == "53111" && record.reverse == nil)
        #expect(record.text(of: .zip) == "53111" && record.text(of: .reverse) == nil)
    }

    @Test func `records are exactly equal only if all of their texts have the same bytes`() {
        var one = Record.example
        one.zip = "10115"
        var other = Record.example
        other.zip = "10115"
        #expect(one.isExactly(other), "the values need not be the same copies")
        other.zip = "10116"
        #expect(!one.isExactly(other))
        let changes: [(inout Record, String) -> Void] = [
            { $0.city = $1 }, { $0.isp = $1 }, { $0.zip = $1 }, { $0.reverse = $1 },
        ]
        for change in changes {
            var (composed, decomposed) = (Record.example, Record.example)
            change(&composed, "caf\u{E9}")
            change(&decomposed, "cafe\u{301}")
            #expect(!composed.isExactly(decomposed))
            #expect(Answer.record(composed).isExactly(.record(composed)))
        }
        #expect(!Answer.empty(reason: "\u{E9}").isExactly(.empty(reason: "e\u{301}")))
        #expect(Answer.empty(reason: "a").isExactly(.empty(reason: "a")))
        #expect(!Answer.empty(reason: "a").isExactly(.record(.example)))
    }
}
