import Testing

@testable import RecordKeeping

@Suite struct CompactTextTests {
    @Test(arguments: ["", "a", "Zürich", "日本", "e\u{301}", "nul\0 byte", String(repeating: "x", count: 70_000)])
    func `a text is returned as it was stored`(text: String) {
        let compact = CompactText(text)
        #expect(compact.text == text)
        #expect(compact.withBytes { $0.elementsEqual(text.utf8) })
    }

    @Test func `equality compares bytes`() {
        #expect(CompactText("abc") == CompactText("abc"))
        #expect(Set([CompactText("abc"), CompactText("abc")]).count == 1)
        #expect(CompactText("abc") != CompactText("abd") && CompactText("abc") != CompactText("abcd"))
        #expect(CompactText("é") != CompactText("e\u{301}"), "canonically equivalent, with other bytes")
    }
}
