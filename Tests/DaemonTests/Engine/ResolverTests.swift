import Dispatch
import RecordKeeping
import Synchronization
import Testing

@testable import Daemon

@Suite struct ResolverTests {
    private static func resolve(_ host: String) async -> [IPAddress] {
        let resolver = Resolver(host: host)
        return await withCheckedContinuation { continuation in
            resolver.resolve { continuation.resume(returning: $0) }
        }
    }

    @Test(arguments: ["192.0.2.1", "2001:db8::1", "::1", "::ffff:192.0.2.1"])
    func `an address resolves to itself`(text: String) async throws {
        #expect(await Self.resolve(text) == [try IPAddress(text)])
    }

    @Test func `a name resolves to the addresses that the system knows`() async throws {
        let addresses = await Self.resolve("localhost")
        #expect(!addresses.isEmpty)
        #expect(Set(addresses).isSubset(of: [try IPAddress("127.0.0.1"), try IPAddress("::1")]))
        #expect(Set(addresses).count == addresses.count)
    }

    // Names in .invalid never exist (RFC 6761, section 6.4).
    @Test(arguments: ["no-such-host.invalid", "", "two words", "300.1.1.1", String(repeating: "a", count: 5_000)])
    func `an unknown name resolves to nothing`(name: String) async {
        #expect(await Self.resolve(name) == [])
    }

    @Test func `a resolver can be used repeatedly`() async throws {
        let resolver = Resolver(host: "192.0.2.1")
        let answers = Tally()
        for _ in 0..<100 { resolver.resolve { if $0.count == 1 { answers.note() } } }
        #expect(answers.wait(for: 100))
    }
}
