import Control
import RecordKeeping
import Testing

@testable import ipctl

/// The conditions of filters, as the client checks them.
@Suite struct EntryConditionsTests {
    private static func matches(
        _ entry: Interface.Entry, _ change: (inout Interface.Filter) -> Void
    ) throws -> Bool {
        var filter = Interface.Filter()
        change(&filter)
        return try EntryConditions(filter).matches(entry)
    }

    /// A watched entry with the tags dns and prod and a record of Berlin, which changed a minute ago.
    private static var entry: Interface.Entry {
        get throws { try Sample.entry(.fresh, record: Sample.record, scanned: -5, expires: 295, changed: -60) }
    }

    @Test func `each condition selects entries with one of its values`() throws {
        let entry = try Self.entry
        let cases: [(matching: (inout Interface.Filter) -> Void, other: (inout Interface.Filter) -> Void)] = [
            ({ $0.states = ["stale", "fresh"] }, { $0.states = ["stale"] }),
            ({ $0.tags = ["x", "dns"] }, { $0.tags = ["x"] }), ({ $0.notTags = ["x"] }, { $0.notTags = ["x", "dns"] }),
            ({ $0.pinned = true }, { $0.pinned = false }),
            ({ $0.changedSince = Sample.now - 60_000 }, { $0.changedSince = Sample.now - 59_999 }),
            ({ $0.countryCodes = ["FR", "DE"] }, { $0.countryCodes = ["FR"] }),
            ({ $0.notCountryCodes = ["FR"] }, { $0.notCountryCodes = ["FR", "DE"] }),
            ({ $0.asns = [1, 64_500] }, { $0.asns = [1] }),
            ({ $0.flags = ["mobile", "proxy"] }, { $0.flags = ["mobile"] }),
            ({ $0.search = "192.0.2.0/24" }, { $0.search = "192.0.2.8/29" }),
            ({ $0.search = "berlin" }, { $0.search = "hamburg" }), ({ $0.search = "OURS" }, { $0.search = "theirs" }),
            ({ $0.search = "0.2.1" }, { $0.search = "0.2.2" }), ({ $0.search = "host.EX" }, { $0.search = "host.com" }),
        ]
        for (index, (matching, other)) in cases.enumerated() {
            #expect(try Self.matches(entry, matching), "case \(index)")
            #expect(try !Self.matches(entry, other), "case \(index)")
        }
    }

    @Test func `conditions combine with AND`() throws {
        #expect(try Self.matches(try Self.entry) { ($0.tags, $0.countryCodes) = (["dns"], ["DE"]) })
        #expect(try !Self.matches(try Self.entry) { ($0.tags, $0.countryCodes) = (["dns"], ["FR"]) })
    }

    @Test func `an entry without a record has no country, network or flag`() throws {
        let entry = try Sample.entry(.loading, watch: nil)
        #expect(try !Self.matches(entry) { $0.countryCodes = ["DE"] })
        #expect(try Self.matches(entry) { $0.notCountryCodes = ["DE"] })
        #expect(try !Self.matches(entry) { $0.asns = [64_500] })
        #expect(try !Self.matches(entry) { $0.flags = ["mobile", "proxy", "hosting"] })
        #expect(try !Self.matches(entry) { $0.changedSince = 0 })
        #expect(try Self.matches(entry) { $0.search = "192.0.2.1/32" })
    }

    @Test func `an address without an entry has no state, labels, record or changes`() throws {
        func matches(_ change: (inout Interface.Filter) -> Void) throws -> Bool {
            var filter = Interface.Filter()
            change(&filter)
            return try EntryConditions(filter).matchesUnknown(IPAddress(v4: 0xC000_0201))
        }
        #expect(try matches { $0.notCountryCodes = ["DE"] })
        #expect(try matches { $0.notTags = ["dns"] })
        #expect(try matches { $0.pinned = false })
        #expect(try matches { $0.search = "192.0.2.0/24" })
        #expect(try !matches { $0.search = "192.0.3.0/24" })
        #expect(try !matches { $0.search = "berlin" })
        #expect(try !matches { $0.states = EntryState.allCases.map(\.rawValue) })
        #expect(try !matches { $0.tags = ["dns"] })
        #expect(try !matches { $0.pinned = true })
        #expect(try !matches { $0.changedSince = 0 })
        #expect(try !matches { ($0.notCountryCodes, $0.countryCodes) = (["FR"], ["DE"]) })
        #expect(try !matches { $0.asns = [64_500] })
        #expect(try !matches { $0.flags = ["mobile", "proxy", "hosting"] })
    }

    @Test func `an invalid search is a usage error`() {
        var filter = Interface.Filter()
        filter.search = "192.0.2.0/33"
        let error = #expect(throws: CommandError.self) { try EntryConditions(filter) }
        #expect(error?.status == .usage)
        #expect(error?.message == "invalid search: expected a prefix length from 0 to 32 for an IPv4 block")
    }
}
