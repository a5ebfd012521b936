import TestSupport
import Testing

/// Messages about command lines that are likely mistakes.
@Suite struct HintTests {
    private static func errors(_ arguments: String...) throws -> [String] {
        // Addresses are checked once the daemon has accepted the connection.
        let server = try WireServer(connections: [[]], staysOpen: true)
        let ended = try BuiltIpctl.run(["--socket", server.path] + arguments)
        #expect([64, 65].contains(ended.status))
        #expect(ended.output == "")
        return ended.errorLines
    }

    @Test(
        arguments: [
            ("1.1.1.1", "unknown command \"1.1.1.1\"; to show the record of an address: ipctl show 1.1.1.1"),
            (
                "2001:db8::1",
                "unknown command \"2001:db8::1\"; to show the record of an address: ipctl show 2001:db8::1"
            ),
            ("delete", "unknown command \"delete\"; did you mean remove?"),
            ("del", "unknown command \"del\"; did you mean remove?"),
            ("version", "unknown command \"version\"; did you mean --version?"),
        ])
    func `a likely command is suggested`(word: String, message: String) throws {
        #expect(try Self.errors(word).first == "ipctl: " + message)
    }

    @Test func `an unknown option has a short message that refers to the help`() throws {
        for arguments in [["show", "1.1.1.1", "--bogus"], ["list", "--bogus"], ["--bogus", "list"]] {
            let ended = try BuiltIpctl.run(["--socket", "/no"] + arguments)
            #expect(ended.status == 64)
            #expect(ended.errorLines.first?.contains("unknown option '--bogus'") == true)
            #expect(ended.errorLines.count <= 3)
            #expect(ended.errorLines.allSatisfy { $0.count <= 100 }, "\(ended.errors)")
            #expect(ended.errors.contains("ipctl help") || ended.errors.contains("--help"))
        }
    }

    @Test func `an unknown field is reported in short lines`() throws {
        let ended = try BuiltIpctl.run(["show", "1.1.1.1", "--field", "colour"])
        #expect(ended.errorLines.allSatisfy { $0.count <= 120 }, "\(ended.errors)")
        #expect(ended.errors.contains("countryCode"))
    }

    @Test func `all invalid addresses are named, up to a limit`() throws {
        #expect(
            try Self.errors("pin", "bad1.example", "192.0.2.1", "8.8.8") == [
                "ipctl: \"bad1.example\" is not an IP address: this looks like a host name; expected an address such "
                    + "as 192.0.2.1 or 2001:db8::1",
                "\"8.8.8\" is not an IP address: an IPv4 address has four parts; this one has 3",
            ])
        let server = try WireServer(connections: [[]], staysOpen: true)
        let hosts = (0..<50).map { "host\($0).example" }
        let many = try BuiltIpctl.run(["--socket", server.path, "pin"] + hosts)
        #expect(many.status == 65)
        #expect(many.errorLines.count == 11)
        #expect(many.errorLines.last == "40 more arguments are not IP addresses")
    }

    @Test(
        arguments: [
            ("5.5.5.5,5.5.5.6", "expected a single address, not a list separated by commas"),
            (";", "expected an address such as 192.0.2.1 or 2001:db8::1"),
            ("bad", "expected an address such as 192.0.2.1 or 2001:db8::1"),
            ("@", "expected an address such as 192.0.2.1 or 2001:db8::1"),
        ])
    func `the reason of an invalid address is true`(text: String, reason: String) throws {
        #expect(try Self.errors("pin", text).first == "ipctl: \"\(text)\" is not an IP address: \(reason)")
    }
}
