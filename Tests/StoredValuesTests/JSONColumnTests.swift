import RecordKeeping
import StoredValues
import Testing

/// The exact text of tags and of changed fields. Databases contain it, so it must not change.
struct JSONColumnTests {
    @Test func `tags are an array without spaces and escaped slashes`() {
        #expect(JSONColumn.text([] as [String]) == "[]")
        #expect(JSONColumn.text(["", "a/b", "c d"]) == #"["","a/b","c d"]"#)
    }

    @Test func `a changed field has no members without a value`() {
        let changes = [
            FieldChange(field: "city", old: "A/B", new: nil), FieldChange(field: "isp", old: nil, new: "C"),
            FieldChange(field: "org", old: "D", new: "E"), FieldChange(field: "zip", old: nil, new: nil),
        ]
        let text = #"[{"field":"city","old":"A/B"},{"field":"isp","new":"C"},{"field":"org","new":"E","old":"D"}"#
        #expect(JSONColumn.text(changes) == text + #",{"field":"zip"}]"#)
        #expect(JSONColumn.text([] as [FieldChange]) == "[]")
    }

    @Test func `only quotes, backslashes and control characters below U+0020 are escaped`() {
        let (text, escaped) = ("\"\\\n\u{1}\u{0}\u{7F}\u{2028}\u{E9}e\u{301}🌍", #"\"\\\n\u0001\u0000"#)
        let plain = "\u{7F}\u{2028}\u{E9}e\u{301}🌍"
        #expect(Array(JSONColumn.text([text]).utf8) == Array("[\"\(escaped)\(plain)\"]".utf8))
        let change = FieldChange(field: text, old: text, new: text)
        let members = ["field", "new", "old"].map { "\"\($0)\":\"\(escaped)\(plain)\"" }.joined(separator: ",")
        #expect(Array(JSONColumn.text([change]).utf8) == Array("[{\(members)}]".utf8))
    }
}
