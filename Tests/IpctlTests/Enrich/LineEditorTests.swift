import RecordKeeping
import Testing
import Varlink

@testable import ipctl

@Suite struct LineEditorTests {
    @Test func `text gets an annotation for each known address at its end`() throws {
        let editing = EditedLines(.text)
        #expect(
            try editing.edited("from 192.0.2.1 port 22\n")
                == "from 192.0.2.1 port 22 [192.0.2.1 country=DE asn=64500]\n")
        #expect(
            try editing.edited("[2001:db8::1]:443 > 192.0.2.1, 2001:DB8::1\r\n")
                == "[2001:db8::1]:443 > 192.0.2.1, 2001:DB8::1 [2001:db8::1 country=FR isp=\"A \\\"B\\\" C\"]"
                + " [192.0.2.1 country=DE asn=64500]\r\n")
    }

    @Test func `inline annotations follow each address with its port`() throws {
        var addition = FieldAddition(.text, names: ["country", "asn"])
        addition.placement = .inline
        let editing = EditedLines(addition)
        #expect(
            try editing.edited("a [2001:db8::1]:443 > 192.0.2.1:80 > 203.0.113.9, x")
                == "a [2001:db8::1]:443 [country=FR] > 192.0.2.1:80 [country=DE asn=64500] > 203.0.113.9, x")
    }

    @Test func `a template replaces the form of annotations`() throws {
        var addition = FieldAddition(.text, names: ["country", "asn"])
        addition.template = try LineTemplate("<{address}|{country}|{asn}|{{}}>")
        addition.style = { "*\($0)*" }
        let editing = EditedLines(addition)
        #expect(try editing.edited("192.0.2.1\n") == "192.0.2.1 *<-|DE|64500|{}>*\n")
        #expect(try editing.edited("2001:db8::1") == "2001:db8::1 *<-|FR|-|{}>*")
    }

    @Test(arguments: LineFormat.allCases)
    func `a line without known addresses is unchanged`(format: LineFormat) throws {
        let editing = EditedLines(format, hasHeader: false)
        let added = format == .csv ? ",,," : ""
        for (text, end) in [("203.0.113.9", ""), ("{\"a\":\"203.0.113.9\"}", "\r\n"), ("x", "\n"), ("a b\r", "")] {
            #expect(try editing.edited(text + end) == text + added + end)
        }
        for text in ["\n", "\r\n", ""] { #expect(try editing.edited(text) == text) }
    }

    @Test(arguments: LineFormat.allCases)
    func `bytes that are not UTF-8 are kept`(format: LineFormat) throws {
        let editing = EditedLines(format, hasHeader: false)
        let start = [0xFF, 0xC3] + Array(" 192.0.2.1 ".utf8) + [0x80, 0x00, 0x1B]
        let line = format == .json ? Array("{\"a\":\"".utf8) + start + Array("\"".utf8) : start
        let edited = try editing.edited(format == .json ? line + Array("}".utf8) : line)
        #expect(edited.starts(with: line) && edited.count > line.count)
    }

    @Test(arguments: [
        (#"{"a":"192.0.2.1"}"#, #"{"a":"192.0.2.1","iprecord":{"192.0.2.1":{"asn":64500,"country":"DE"}}}"#),
        (
            #" { "a" : [ "192.0.2.1:80" ] } "#,
            #" { "a" : [ "192.0.2.1:80" ] ,"iprecord":{"192.0.2.1":{"asn":64500,"country":"DE"}}} "#
        ),
        (
            #"{"m":"a\n192.0.2.1\tb"}"#,
            #"{"m":"a\n192.0.2.1\tb","iprecord":{"192.0.2.1":{"asn":64500,"country":"DE"}}}"#
        ),
        (
            #"{"u":"http:\/\/192.0.2.1\/"}"#,
            #"{"u":"http:\/\/192.0.2.1\/","iprecord":{"192.0.2.1":{"asn":64500,"country":"DE"}}}"#
        ),
        (
            #"{"q":"ip\u003d192.0.2.1"}"#,
            #"{"q":"ip\u003d192.0.2.1","iprecord":{"192.0.2.1":{"asn":64500,"country":"DE"}}}"#
        ),
        (
            #"{"m":"\u001b[31m192.0.2.1\u001b[0m"}"#,
            #"{"m":"\u001b[31m192.0.2.1\u001b[0m","iprecord":{"192.0.2.1":{"asn":64500,"country":"DE"}}}"#
        ),
        (
            #"{"192.0.2.1":{"iprecord":1}}"#,
            #"{"192.0.2.1":{"iprecord":1},"iprecord":{"192.0.2.1":{"asn":64500,"country":"DE"}}}"#
        ),
        (
            #"{"a":"192.0.2.1","b":"::ffff:192.0.2.1","c":["2001:db8::1"]}"#,
            #"{"a":"192.0.2.1","b":"::ffff:192.0.2.1","c":["2001:db8::1"],"iprecord":"#
                + #"{"192.0.2.1":{"asn":64500,"country":"DE"},"2001:db8::1":{"country":"FR","isp":"A \"B\" C"}}}"#
        ),
    ])
    func `an object gets a member`(line: String, expected: String) throws {
        for end in ["", "\n", "\r\n"] { #expect(try EditedLines(.json).edited(line + end) == expected + end) }
        _ = try Wire.decode(Value.self, from: Array(expected.utf8))
    }

    @Test func `an object gets a member although a byte order mark is before it`() throws {
        let added = ",\"iprecord\":{\"192.0.2.1\":{\"asn\":64500,\"country\":\"DE\"}}}"
        #expect(
            try EditedLines(.json).edited("\u{FEFF}{\"a\":\"192.0.2.1\"}") == "\u{FEFF}{\"a\":\"192.0.2.1\"" + added)
    }

    @Test(arguments: [
        #"["192.0.2.1"]"#, #""192.0.2.1""#, "192.0.2.1", #"{"a":"192.0.2.1""#, #"{"a":"192.0.2.1"#,
        #"{"a":"192.0.2.1"}}"#,
        #"{"a":"192.0.2.1"} x"#, #"x {"a":"192.0.2.1"}"#, #"{"a":"192.0.2.1"}{}"#, #"{"a":"192.0.2.1"]"#,
        #"{"a":192.0.2.1}"#,
        #"{"iprecord":{},"a":"192.0.2.1"}"#, #"{"a":"192.0.2.1", "iprecord" : 1}"#, #"{"a":"\u0031192.0.2.1"}"#,
        #"{"a":"Chrome\/192.0.2.1 x"}"#, #"{"a":"192.0.2.1\"}"#, #"{"a":"192.0.2.1\u"#, #"{"a":"192.0.2.1\"#,
        #"{"a":"C:\\App\\192.0.2.1\\x"}"#,
    ])
    func `another text than an object without the member is unchanged`(line: String) throws {
        #expect(try EditedLines(.json).edited(line) == line)
    }

    @Test func `each row of CSV gets the same number of columns`() throws {
        let editing = EditedLines(.csv)
        #expect(try editing.edited("a,\"b,\"\"\"\r\n") == "a,\"b,\"\"\",iprecord.country,iprecord.asn,iprecord.isp\r\n")
        #expect(try editing.edited("203.0.113.9,192.0.2.1\r\n") == "203.0.113.9,192.0.2.1,DE,64500,\r\n")
        #expect(try editing.edited("\"x\n2001:db8::1\",1\n") == "\"x\n2001:db8::1\",1,FR,,\"A \"\"B\"\" C\"\n")
        #expect(try editing.edited("none,none") == "none,none,,,")
    }

    @Test func `named columns of CSV are enriched each`() throws {
        let editing = EditedLines(FieldAddition(.csv, names: ["country", "asn"]), columns: ["dst", "src"])
        #expect(try editing.edited("src,x,dst\n") == "src,x,dst,dst.country,dst.asn,src.country,src.asn\n")
        #expect(
            try editing.edited("192.0.2.1,192.0.2.1,\"[2001:db8::1]:1\"\n")
                == "192.0.2.1,192.0.2.1,\"[2001:db8::1]:1\",FR,,DE,64500\n")
        #expect(try editing.edited("x,192.0.2.1") == "x,192.0.2.1,,,,")
        let other = EditedLines(FieldAddition(.csv, names: ["asn"]), columns: ["ip"])
        #expect(throws: LineError("no column \"ip\" in the header")) { try other.edited("a,b\n") }
    }

    @Test func `a byte order mark is not a part of the name of a CSV column`() throws {
        let editing = EditedLines(FieldAddition(.csv, names: ["asn"]), columns: ["ip"])
        #expect(try editing.edited("\u{FEFF}ip,x\r\n") == "\u{FEFF}ip,x,ip.asn\r\n")
        #expect(try editing.edited("192.0.2.1,1\r\n") == "192.0.2.1,1,64500\r\n")
    }

    @Test(arguments: [
        ("src=192.0.2.1 x=1", "src=192.0.2.1 x=1 src.country=DE src.asn=64500"),
        ("a=[2001:db8::1]:80", "a=[2001:db8::1]:80 a.country=FR a.isp=\"A \\\"B\\\" C\""),
        (
            "msg=\"x=1 192.0.2.1 to 2001:db8::1, 192.0.2.1\" dst=192.0.2.1",
            "msg=\"x=1 192.0.2.1 to 2001:db8::1, 192.0.2.1\" dst=192.0.2.1 msg.country=DE msg.asn=64500"
                + " msg.2.country=FR msg.2.isp=\"A \\\"B\\\" C\" dst.country=DE dst.asn=64500"
        ),
        ("192.0.2.1 ok", "192.0.2.1 ok address.country=DE address.asn=64500"),
        ("=192.0.2.1", "=192.0.2.1 address.country=DE address.asn=64500"),
        ("a=\"192.0.2.1", "a=\"192.0.2.1 a.country=DE a.asn=64500"),
    ])
    func `a line of logfmt gets pairs`(line: String, expected: String) throws {
        for end in ["", "\n", "\r\n"] { #expect(try EditedLines(.logfmt).edited(line + end) == expected + end) }
    }

    @Test func `control characters of a value are not written`() throws {
        let rendered = [LineFormat.text, .csv, .logfmt, .json].map { format in
            FieldAddition(format, names: ["isp"]).rendered(for: IPAddress(v4: 1)) { _ in .string("a\u{1B}[2J\nb") }
        }
        for one in rendered {
            #expect(try #require(one).pieces.joined().allSatisfy { $0 >= 0x20 })
        }
    }

    @Test(arguments: LineFormat.allCases)
    func `an address of which no field is known is unknown`(format: LineFormat) {
        let addition = FieldAddition(format, names: ["country", "asn"])
        #expect(addition.rendered(for: IPAddress(v4: 1)) { $0 == "asn" ? .null : nil } == nil)
    }
}
