import Testing

@testable import ipctl

@Suite struct LineTemplateTests {
    @Test(arguments: [
        ("{a}", "[a]"), ("x{a}y{b}z{a}", "x[a]y[b]z[a]"), ("{{{a}}}", "{[a]}"), ("}}{a}{{", "}[a]{"), ("{a}é", "[a]é"),
    ])
    func `names in braces are replaced by values`(template: String, expected: String) throws {
        #expect(try LineTemplate(template).text { "[\($0)]" } == expected)
    }

    @Test func `an unknown value is a hyphen`() throws {
        #expect(try LineTemplate("{a}/{b}").text { $0 == "a" ? "1" : nil } == "1/-")
    }

    @Test func `the names are listed once each`() throws {
        #expect(try LineTemplate("{b}{a}{b}").names == ["b", "a"])
    }

    @Test(arguments: [
        ("", "at least one field"), ("country", "at least one field"), ("{{a}}", "at least one field"),
        ("{a", "no \"}\""), ("{a{b}}", "no \"}\""), ("a}", "no \"{\""), ("{}", "expected a field name"),
        ("{", "no \"}\""),
    ])
    func `an invalid template is rejected with the reason`(template: String, part: String) {
        let error = #expect(throws: LineTemplate.ParseError.self) { try LineTemplate(template) }
        #expect(error?.description.contains(part) == true)
    }
}
