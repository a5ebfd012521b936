import Control
import RecordKeeping
import Testing

@testable import ipctl

/// The environment of the command of `--exec`.
@Suite struct HookVariablesTests {
    private static func changed(_ old: String?, _ new: String?, field: String = "isp") throws -> [String] {
        HookVariables.of(try Sample.event(.changed, fields: [FieldChange(field: field, old: old, new: new)]))
    }

    @Test func `the variables have the members of the event`() throws {
        var event = try Sample.event(
            .changed,
            fields: [
                FieldChange(field: "country", old: "Germany", new: "France"),
                FieldChange(field: "city", old: nil, new: "Paris"),
            ])
        (event.seq, event.at) = (12, 1_000)
        #expect(
            HookVariables.of(event) == [
                "IPRECORD_EVENT=changed", "IPRECORD_SEQ=12", "IPRECORD_AT=1000", "IPRECORD_ADDRESS=192.0.2.1",
                "IPRECORD_FIELDS=country,city", "IPRECORD_OLD_country=Germany", "IPRECORD_NEW_country=France",
                "IPRECORD_NEW_city=Paris",
            ])
    }

    @Test func `an event without an address has only the variables that it needs`() throws {
        var event = try Sample.event(.networkLost, address: nil, message: "no route to x")
        (event.seq, event.at, event.user) = (nil, 5, 1_000)
        #expect(
            HookVariables.of(event) == [
                "IPRECORD_EVENT=networkLost", "IPRECORD_AT=5", "IPRECORD_MESSAGE=no route to x", "IPRECORD_USER=1000",
            ])
    }

    @Test func `an event of a host name has the name`() throws {
        var event = try Sample.event(.nameFailed, address: nil, message: "no reply")
        (event.seq, event.at, event.name) = (7, 5, "www.example.com")
        #expect(
            HookVariables.of(event) == [
                "IPRECORD_EVENT=nameFailed", "IPRECORD_SEQ=7", "IPRECORD_AT=5", "IPRECORD_NAME=www.example.com",
                "IPRECORD_MESSAGE=no reply",
            ])
    }

    @Test(arguments: ["\n", "\0", "\r\n", "\u{1B}", "\u{202E}"])
    func `a character that could forge a line or end the value is replaced`(character: String) throws {
        let variables = try Self.changed(nil, "a\(character)IPRECORD_SEQ=1")
        let value = try #require(variables.last { $0.hasPrefix("IPRECORD_NEW_isp=") })
        #expect(value.unicodeScalars.allSatisfy { $0.value >= 32 && $0 != "\u{202E}" })
        #expect(value.hasPrefix("IPRECORD_NEW_isp=a\u{FFFD}") && value.hasSuffix("IPRECORD_SEQ=1"))
    }

    @Test func `a long value is cut between two characters`() throws {
        let value = String(repeating: "a", count: HookVariables.maxValueBytes - 1) + "€"
        let cut = try #require(try Self.changed(value, nil).last)
        #expect(cut == "IPRECORD_OLD_isp=" + value.dropLast())
        let whole = String(repeating: "€", count: HookVariables.maxValueBytes / 3)
        #expect(try Self.changed(whole, nil).last == "IPRECORD_OLD_isp=" + whole)
    }

    @Test(arguments: ["", "a=b", "a b", "ä", "PATH\n", String(repeating: "a", count: 33)])
    func `a field whose name is not a valid name of a variable is left out`(field: String) throws {
        #expect(try Self.changed("x", "y", field: field).allSatisfy { !$0.contains("OLD_") && !$0.contains("FIELDS") })
    }

    @Test func `a run inherits the environment, but not the variables of another event`() throws {
        let event = HookEvent(cursor: nil, address: nil, name: "event", input: [], variables: ["IPRECORD_EVENT=added"])
        let inherited = [
            "PATH=/bin", "IPRECORD_SOCKET=/other", "IPRECORD_SEQ=9", "IPRECORD_OLD_city=x", "IPRECORD_TOKEN=kept",
            "IPRECORD_SEQUEL=kept",
        ]
        let variables = HookVariables.ofRun(
            event, attempt: 2, socket: "/run/s", inherited: inherited.map { Array($0.utf8) })
        #expect(
            variables.map { String(decoding: $0, as: UTF8.self) } == [
                "PATH=/bin", "IPRECORD_TOKEN=kept", "IPRECORD_SEQUEL=kept", "IPRECORD_EVENT=added",
                "IPRECORD_ATTEMPT=2", "IPRECORD_SOCKET=/run/s",
            ])
    }
}
