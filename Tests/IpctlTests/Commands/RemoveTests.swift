import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl remove` of addresses that stay on the watch list, with the built program.
@Suite struct RemoveTests {
    private static func reply(_ removed: Int, staying: ClosedRange<UInt32>) -> [UInt8] {
        let staying = staying.map { IPAddress(v4: 0xC000_0200 + $0) }
        return Sample.reply(Control.Remove.Reply(removed: removed, staying: staying))
    }

    private static func run(_ reply: [UInt8], _ arguments: String...) throws -> BuiltIpctl.Ended {
        let server = try WireServer([reply])
        return try withExtendedLifetime(server) {
            try BuiltIpctl.run(["--socket", server.path, "remove"] + arguments)
        }
    }

    @Test func `remove names the addresses that stay`() throws {
        let one = try Self.run(Self.reply(1, staying: 2...2), "192.0.2.1", "192.0.2.2")
        let reason = "in the configuration or a watch-list file, or"
        #expect(one.status == 1 && one.errors == "", "\(one)")
        #expect(
            one.output == """
                1 address removed
                1 address stays because it is \(reason) belongs to a host name: 192.0.2.2; remove it there and run \
                ipctl reload, or remove the name\n
                """)
        let two = try Self.run(Self.reply(0, staying: 1...2), "192.0.2.1", "192.0.2.2")
        #expect(
            two.output == """
                0 addresses removed
                2 addresses stay because they are \(reason) belong to a host name: 192.0.2.1, 192.0.2.2; remove them \
                there and run ipctl reload, or remove the name\n
                """)
    }

    @Test func `of many addresses that stay, remove names the first ten`() throws {
        let many = try Self.run(Self.reply(0, staying: 0...15), "192.0.2.0/28")
        let named = (0..<10).map { "192.0.2.\($0)" }.joined(separator: ", ")
        #expect(many.output.contains("16 addresses stay because"))
        #expect(many.output.contains(": \(named) and 6 more; remove them there"), "\(many.output)")
    }

    @Test func `remove counts the addresses that stay if an older daemon does not name them`() throws {
        let ended = try Self.run(OutgoingReply.message(["removed": 1]), "192.0.2.1", "192.0.2.2")
        let sentence =
            "1 address stays because it is in the configuration or a watch-list file, or belongs to a host name; remove"
        #expect(ended.status == 1 && ended.output.contains(sentence), "\(ended)")
    }

    @Test func `with --json, remove prints the addresses that stay`() throws {
        let ended = try Self.run(Self.reply(1, staying: 2...2), "192.0.2.1", "192.0.2.2", "--json")
        #expect(ended == .init(status: 1, output: #"{"removed":1,"staying":["192.0.2.2"]}"# + "\n", errors: ""))
    }
}
