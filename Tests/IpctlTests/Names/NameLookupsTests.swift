import Dispatch
import RecordKeeping
import Testing

@testable import ipctl

/// Lookups with the resolver of this machine. `localhost` has an address everywhere, and names below `invalid` never
/// have one (RFC 6761 §6.3, §6.4).
@Suite struct NameLookupsTests {
    private static func names(_ names: String...) throws -> Set<HostName> { Set(try names.map { try HostName($0) }) }

    @Test func `a name has its addresses in order, each once`() throws {
        let addresses = try NameLookups(of: try Self.names("localhost"), until: nil).addresses
        let local = try #require(addresses[try HostName("localhost")])
        #expect(!local.isEmpty && local.allSatisfy { ["127.0.0.1", "::1"].contains($0.description) }, "\(local)")
        #expect(local == Set(local).sorted())
    }

    @Test func `if one of several names has no address, the lookup fails`() throws {
        let lookups = try NameLookups(of: try Self.names("localhost", "a.invalid", "b.invalid"), until: nil)
        let error = #expect(throws: CommandError.self) { try lookups.addresses }
        let lines = error?.message.split(separator: "\n").map(String.init) ?? []
        #expect(lines.count == 2)
        for (line, name) in zip(lines, ["a.invalid", "b.invalid"]) {
            #expect(line.hasPrefix("cannot resolve \(name): "), "\(line)")
        }
        // Without a name server, the resolver does not know that the names do not exist.
        #expect(error?.status == .noHost || error?.status == .tryLater)
    }

    @Test func `a lookup that has not ended at the time limit is a temporary failure`() throws {
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        let names = try Self.names("a.example", "b.example")
        let lookups = try NameLookups(of: names, until: Deadline(in: .milliseconds(50))) { name in
            // The lookup of one of the names lasts until the end of the test.
            if name == "b.example" { isOver.wait() }
            return .found([IPAddress(v4: 0xC000_0201)])
        }
        let error = #expect(throws: CommandError.self) { try lookups.addresses }
        #expect(error?.status == .tryLater)
        #expect(error?.message.hasSuffix("cannot resolve b.example: no reply within 50 ms") == true)
    }

    @Test func `the number of names is limited`() throws {
        let names = Set(try (0..<65).map { try HostName("host\($0).invalid") })
        let error = #expect(throws: CommandError.self) { try NameLookups(of: names, until: nil) }
        #expect(error?.status == .usage)
        #expect(error?.message == "a command can have at most 64 host names; this one has 65")
    }

    @Test func `a sentence lists the first addresses`() throws {
        let name = try HostName("a.example")
        let addresses = (1...12).map { IPAddress(v4: 0xC000_0200 + $0) }
        #expect(NameLookups.sentence(name, Array(addresses.prefix(1))) == "a.example has the address 192.0.2.1")
        #expect(
            NameLookups.sentence(name, Array(addresses.prefix(2))) == "a.example has 2 addresses: 192.0.2.1, 192.0.2.2")
        let sentence = NameLookups.sentence(name, addresses)
        #expect(sentence.hasPrefix("a.example has 12 addresses: 192.0.2.1, "))
        #expect(sentence.hasSuffix(", 192.0.2.10 and 2 more"))
    }
}
