import ArgumentParser
import Control
import RecordKeeping

/// Validates the tags and notes of the command line.
enum TagText {
    static let rule =
        "a tag is a single word of at most \(Limits.tagBytes) bytes, with no comma, leading # or invisible characters"
    static let countRule = "an address can have at most \(Limits.tagsPerEntry) tags"
    static let noteRule =
        "a note is a single line of at most \(Limits.noteBytes) bytes, with no control or invisible characters"

    static let help = ArgumentHelp("A tag, a single word; can be repeated.", valueName: "tag")

    /// - Throws: a `ValidationError` if the tag is invalid.
    static func check(_ tag: String) throws {
        guard LabelText.isTag(tag) else {
            throw ValidationError("\"\(shown(tag))\" is not a valid tag: \(rule)")
        }
    }

    /// - Throws: a `ValidationError` if a tag is invalid, or if there are too many for an address.
    static func check(_ tags: [String]) throws {
        guard tags.count <= Limits.tagsPerEntry else { throw ValidationError("\(countRule), got \(tags.count)") }
        for tag in tags { try check(tag) }
    }

    /// - Throws: a `ValidationError` in the same cases as `check`, and if a tag is an address. Existing tags may be
    ///   addresses, and can still be removed.
    static func checkNew(_ tags: [String]) throws {
        try check(tags)
        if let tag = tags.first(where: LabelText.isAddress) {
            throw ValidationError("\"\(tag)\" is an address, not a tag")
        }
    }

    static func check(note: String) throws {
        guard LabelText.isNote(note) else {
            throw ValidationError("\"\(shown(note))\" is not a valid note: \(noteRule)")
        }
    }

    private static func shown(_ text: String) -> String { text.printable.cut(to: 60) }
}
