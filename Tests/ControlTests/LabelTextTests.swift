import RecordKeeping
import Testing

@testable import Control

/// Validation of tags and notes.
@Suite struct LabelTextTests {
    @Test(arguments: ["dns", "Zürich", "東京", "c#", "a.b:c/d-e_f", "🚀", String(repeating: "a", count: Limits.tagBytes)])
    func `a single word is a valid tag`(text: String) {
        #expect(LabelText.isTag(text))
    }

    @Test(
        arguments: [
            "", "a b", "a\u{A0}b", "a,b", "a\tb", "a\n", "\u{1B}[2J", "#a", "#", "a\u{202E}b", "\u{2066}a\u{2069}",
            "a\u{200B}",
            "a\u{200D}b", "\u{FEFF}a", "a\u{E0041}", "a\u{2028}", String(repeating: "a", count: Limits.tagBytes + 1),
        ])
    func `a tag with spaces, separators or invisible characters is invalid`(text: String) {
        #expect(!LabelText.isTag(text))
    }

    @Test(
        arguments: [
            "", "two words, and a comma", "# one", "Zürich, 東京, שלום\u{200F}, نمی\u{200C}دانم",
            "👨\u{200D}👩\u{200D}👧 and 🇩🇪",
            String(repeating: "a", count: Limits.noteBytes),
        ])
    func `a line of text in any script is a valid note`(text: String) {
        #expect(LabelText.isNote(text))
    }

    @Test(arguments: (UInt32(0x202A)...0x202E).map { $0 } + (0x2066...0x2069).map { $0 })
    func `characters that change the direction of text are invalid`(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(!LabelText.isNote("a\(scalar)b"))
        #expect(!LabelText.isTag("a\(scalar)b"))
    }

    @Test(
        arguments: [
            "a\nb", "a\rb", "a\tb", "\u{1B}[31m", "\u{7F}", "\u{9B}2J", "a\u{2028}b", "a\u{2029}b", "a\u{200B}b",
            "\u{FEFF}",
            "\u{AD}", "\u{E0041}", "\u{2060}", "\u{180E}", String(repeating: "a", count: Limits.noteBytes + 1),
        ])
    func `a note with control, line-breaking or hidden characters is invalid`(text: String) {
        #expect(!LabelText.isNote(text))
    }
}
