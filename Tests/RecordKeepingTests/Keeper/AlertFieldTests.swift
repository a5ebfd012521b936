import Testing

@testable import RecordKeeping

/// The changes that are alerts: those of the configured fields. The history and listeners receive all changes.
@Suite struct AlertFieldTests {
    private let one = IPAddress(v4: 0x0101_0101)

    private func harness() throws -> KeeperHarness {
        try KeeperHarness.withRecord(ignoring: .all, of: one)
    }

    /// Lets the record expire, and answers the call with a record that differs.
    private func refresh(_ harness: KeeperHarness, _ change: (inout Record) -> Void) throws -> [Effect] {
        let call = try #require(harness.pass(.seconds(300) + Limits.gather).calls.first)
        var record = try #require(harness.show(one)?.entry.scan?.answer.record)
        change(&record)
        return harness.reply(to: call, record)
    }

    @Test func `a reverse name that rotates raises no alert, and each change is kept and published`() throws {
        let harness = try harness()
        let (listener, _) = harness.ask(.monitor(after: nil, EventSelection(kinds: [.changed])))
        for name in ["a.example", "b.example", "a.example", "c.example"] {
            let effects = try refresh(harness) { $0.reverse = name }
            #expect(effects.announced.isEmpty)
            #expect(effects.reported(to: listener).map { $0.fields.map(\.new) } == [[name]])
        }
    }

    @Test func `a change of country, city, network, provider, proxy or hosting is an alert`() throws {
        let harness = try harness()
        let changes: [(inout Record) -> Void] = [
            { $0.country = "France" }, { $0.countryCode = "FR" }, { $0.city = "Bonn" }, { $0.as = "AS1 A" },
            { $0.asname = "A" }, { $0.isp = "I" }, { $0.proxy = true }, { $0.hosting = true },
        ]
        for change in changes {
            #expect(try refresh(harness, change).announced.map(\.kind) == [.changed])
        }
        let others: [(inout Record) -> Void] = [
            { $0.zip = "1" }, { $0.lat = 1 }, { $0.org = "O" }, { $0.timezone = "Europe/Paris" }, { $0.mobile = true },
            { $0.regionName = "R" }, { $0.district = "D" },
        ]
        for change in others {
            #expect(try refresh(harness, change).announced.isEmpty)
        }
    }

    @Test func `an alert lists all fields of its change`() throws {
        let effects = try refresh(try harness()) { ($0.city, $0.zip) = ("Bonn", "53111") }
        #expect(effects.announced.map { $0.fields.map(\.field) } == [["city", "zip"]])
    }
}
