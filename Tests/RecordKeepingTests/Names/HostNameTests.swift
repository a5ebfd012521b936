import RecordKeeping
import Testing

@Suite struct HostNameTests {
    @Test(
        arguments: [
            ("example.com", "example.com"), ("Example.COM.", "example.com"), ("localhost", "localhost"),
            ("localhost.", "localhost"), ("a", "a"), ("1.example", "1.example"), ("3com.com", "3com.com"),
            ("a-b.c--d", "a-b.c--d"), ("XN--Bcher-KVA.example", "xn--bcher-kva.example"), ("0xg", "0xg"),
            ("1.1.1.1.in-addr.arpa", "1.1.1.1.in-addr.arpa"), ("0x1.example", "0x1.example"),
        ])
    func `a valid name is in lower case and has no final dot`(text: String, name: String) throws {
        #expect(try HostName(text).description == name)
    }

    @Test(
        arguments: [
            ("", "the name is empty"), (".", "the name is empty"), ("..", "a label of the host name is empty"),
            ("a..b", "a label of the host name is empty"), (".a", "a label of the host name is empty"),
            ("-a.example", "a label of a host name cannot begin or end with a hyphen"),
            ("a-.example", "a label of a host name cannot begin or end with a hyphen"),
            ("a_b.example", "a host name can contain only letters, digits, hyphens and dots"),
            ("a b", "a host name can contain only letters, digits, hyphens and dots"),
            ("a.example:80", "a host name can contain only letters, digits, hyphens and dots"),
            ("a/b", "a host name can contain only letters, digits, hyphens and dots"),
            ("a\u{0}", "a host name can contain only letters, digits, hyphens and dots"),
            ("bücher.example", "write an internationalised name in its ASCII form, such as xn--bcher-kva.example"),
            ("1.2.3", "the last label of a host name is not a number"),
            ("a.1", "the last label of a host name is not a number"),
            ("0x7F000001", "the last label of a host name is not a number"),
            ("a.0X", "the last label of a host name is not a number"),
        ])
    func `an invalid name has a reason`(text: String, reason: String) {
        let error = #expect(throws: HostName.ParseError.self) { try HostName(text) }
        #expect(error?.description == reason)
    }

    @Test func `labels and names have maximum lengths`() throws {
        let label = String(repeating: "a", count: 63)
        #expect(try HostName(label).description == label)
        let long = #expect(throws: HostName.ParseError.self) { try HostName(label + "a.example") }
        #expect(long?.description == "a label of a host name has at most 63 bytes; this one has a label of 64")
        // 3 labels of 63 bytes and one of 61, with 3 dots.
        let name = "\(label).\(label).\(label).\(label.dropLast(2))"
        #expect(name.utf8.count == 253)
        #expect(try HostName(name + ".").description == name)
        let longer = #expect(throws: HostName.ParseError.self) { try HostName(name + "a") }
        #expect(longer?.description == "a host name has at most 253 bytes; this one has 254")
    }
}
