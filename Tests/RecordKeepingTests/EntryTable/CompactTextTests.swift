import Testing

@testable import RecordKeeping

@Suite struct CompactTextTests {
    @Test(arguments: ["", "a", "Zürich", "日本", "e\u{301}", "nul\0 byte", String(repeating: "x", count: 70_000)])
    func `a text is returned as it was stored`(text: String) {
        #expect(compact(text).withBytes { $0.elementsEqual(text.utf8) })
    }

    @Test func `equality compares bytes`() {
        #expect(compact("abc") == compact("abc"))
        #expect(Set([compact("abc"), compact("abc")]).count == 1)
        #expect(compact("abc") != compact("abd") && compact("abc") != compact("abcd"))
        #expect(compact("é") != compact("e\u{301}"), "canonically equivalent, with other bytes")
    }

    private func compact(_ text: String) -> CompactText {
        var text = text
        return text.withUTF8 { CompactText(utf8: $0) }
    }
}
