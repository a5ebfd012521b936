import ArgumentParser
import Control
import RecordKeeping

/// Tags and notes of the command line, looked at before anything is sent.
enum TagText {
    static let rule =
        "a tag is one word without a comma, a # in front or what one does not see, of at most \(Limits.tagBytes) bytes"
    static let countRule = "an address has at most \(Limits.tagsPerEntry) tags"
    static let noteRule =
        "a note is one line of at most \(Limits.noteBytes) bytes, without what steers a terminal or hides"

    /// - Throws: a `ValidationError`, as the parsing of the command line does.
    static func check(_ tag: String) throws {
        guard LabelText.isTag(tag) else {
            throw ValidationError("\"\(shown(tag))\" is no tag: \(rule)")
        }
    }

    /// - Throws: likewise, where one is none, or where there are more than an address may have.
    static func check(_ tags: [String]) throws {
        guard tags.count <= Limits.tagsPerEntry else { throw ValidationError("\(countRule); these are \(tags.count)") }
        for tag in tags { try check(tag) }
    }

    static func check(note: String) throws {
        guard LabelText.isNote(note) else {
            throw ValidationError("\"\(shown(note))\" is no note: \(noteRule)")
        }
    }

    private static func shown(_ text: String) -> String { text.printable.cut(to: 60) }
}
