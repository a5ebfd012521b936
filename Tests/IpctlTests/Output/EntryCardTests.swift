import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct EntryCardTests {
    private static func lines(_ entry: Interface.Entry) -> [String] {
        EntryCard(entry: entry, now: Sample.now).lines(on: .pipe)
    }

    @Test func `a fresh record is shown completely`() throws {
        let entry = try Sample.entry(.fresh, record: Sample.record, scanned: -60, expires: 240, changed: -86_400)
        #expect(
            Self.lines(entry) == [
                "192.0.2.1  fresh", "         Place  Berlin, Mitte, Land Berlin 10115, Germany (DE), Europe",
                "   Coordinates  52.5, -13.0", "     Time zone  Europe/Berlin, UTC+1", "      Currency  EUR",
                "       Network  AS64500 Example (EXAMPLE)", "      Provider  Example ISP",
                "  Organisation  Example Org",
                "  Reverse name  host.example", "         Flags  proxy, hosting",
                "           Age  scanned 60 s ago, refreshes in 4 min", "       Changed  24 h ago",
                "        Source  ip-api.com",
                "       Watched  yes, pinned", "          Tags  dns, prod", "          Note  ours",
            ])
    }

    @Test func `a record with few fields has few lines`() throws {
        var record = Record()
        record.city = "Berlin"
        let entry = try Sample.entry(.fresh, watch: Watch(byClient: true), record: record, scanned: 0, expires: 300)
        #expect(
            Self.lines(entry) == [
                "192.0.2.1  fresh", "    Place  Berlin", "      Age  scanned just now, refreshes in 5 min",
                "   Source  ip-api.com", "  Watched  yes",
            ])
    }

    @Test func `a stale record is shown with its age and the failure`() throws {
        let entry = try Sample.entry(
            .stale, record: Sample.record, scanned: -900, expires: -600, failure: .timeout, attempts: 3, nextAttempt: 20
        )
        let lines = Self.lines(entry)
        #expect(lines.first == "192.0.2.1  stale: the last known record, not current")
        #expect(lines.value(of: "Place")?.hasPrefix("Berlin") == true)
        #expect(lines.value(of: "Age") == "scanned 15 min ago, refresh overdue by 10 min")
        #expect(lines.value(of: "Failure") == "it went wrong (3 times in a row); next try in 20 s")
    }

    @Test func `a record of local databases has labels of its own, and the databases with their date`() throws {
        var entry = try Sample.entry(.failed, watch: nil, failure: .offline)
        entry.offline = Sample.offline
        let day = Times.day(Sample.now - 30 * 86_400_000)
        #expect(
            Self.lines(entry) == [
                "192.0.2.1  failed: no record",
                "          Offline  from GeoLite2-City, GeoLite2-ASN of \(day), not from the provider",
                "    Offline place  Ulm", "  Offline network  AS64496 Offline", "          Failure  it went wrong",
                "          Watched  no; add it with: ipctl add 192.0.2.1",
            ])
    }

    @Test func `a stale record and one of local databases are shown separately`() throws {
        var entry = try Sample.entry(.stale, record: Sample.record, scanned: -900, expires: -600)
        entry.offline = Sample.offline
        let lines = Self.lines(entry)
        #expect(lines.value(of: "Place")?.hasPrefix("Berlin") == true)
        #expect(lines.value(of: "Network") == "AS64500 Example (EXAMPLE)")
        #expect(lines.value(of: "Offline place") == "Ulm")
        #expect(lines.value(of: "Offline network") == "AS64496 Offline")
    }

    @Test func `rows of a table with records of local databases are marked`() throws {
        var failed = try Sample.entry(.failed)
        failed.offline = Sample.offline
        var stale = try Sample.entry(.stale, address: "192.0.2.2", record: Sample.record, scanned: -900)
        stale.offline = Sample.offline
        let lines = Entries(entries: [failed, stale], now: Sample.now).lines(on: .pipe)
        #expect(lines.count == 3)
        #expect(lines[1].contains("failed, offline") && lines[1].contains("Ulm, DE"), "\(lines)")
        #expect(lines[1].contains("AS64496 Offline"), "\(lines)")
        #expect(!lines[2].contains("offline") && lines[2].contains("Berlin, DE"), "\(lines)")
    }

    @Test func `a loading entry has no record`() throws {
        let lines = Self.lines(try Sample.entry(.loading))
        #expect(lines.first == "192.0.2.1  loading: no record yet")
        for label in ["Place", "Age", "Source", "Failure", "Reason"] { #expect(lines.value(of: label) == nil) }
    }

    @Test func `an entry without a newer record after a wait has the end of the wait as its reason`() throws {
        func waiting(_ entry: Interface.Entry, isEarly: Bool = false) -> String? {
            let wait = EndedWait(milliseconds: 1_000, isEarly: isEarly)
            return EntryCard(entry: entry, now: Sample.now, wait: wait).lines(on: .pipe).value(of: "Waiting")
        }
        let (loading, stale) = (
            try Sample.entry(.loading), try Sample.entry(.stale, record: Sample.record, scanned: -9)
        )
        #expect(waiting(loading) == "no new record within the wait of 1 s (--wait)")
        #expect(waiting(stale) == "no new record within the wait of 1 s (--wait)")
        let early = "the daemon ended the wait of 1 s (--wait) early; too many requests may be waiting"
        #expect(waiting(loading, isEarly: true) == early)
        #expect(waiting(try Sample.entry(.failed, failure: .timeout)) == nil)
        #expect(waiting(try Sample.entry(.stale, record: Sample.record, scanned: -9, failure: .timeout)) == nil)
        #expect(waiting(try Sample.entry(.fresh, record: Sample.record, scanned: -1)) == nil)
        #expect(waiting(try Sample.entry(.empty, scanned: -1, reason: "private range")) == nil)
    }

    @Test func `a table has the end of the wait beside missing and stale records`() throws {
        let entries = [
            try Sample.entry(.loading), try Sample.entry(.stale, address: "::1", record: Sample.record, scanned: -9),
        ]
        let wait = EndedWait(milliseconds: 5_000, isEarly: false)
        let lines = Entries(entries: entries, now: Sample.now, wait: wait).lines(on: .pipe)
        #expect(lines.count == 3)
        #expect(
            lines.dropFirst().allSatisfy { $0.contains("no new record within the wait of 5 s (--wait)") }, "\(lines)")
        let known = Entries(entries: entries, now: Sample.now).lines(on: .pipe)
        #expect(!known.contains { $0.contains("wait") }, "\(known)")
    }

    @Test func `an empty entry has the provider's reason`() throws {
        let lines = Self.lines(
            try Sample.entry(.empty, address: "10.0.0.1", scanned: -2, expires: 298, reason: "private range"))
        #expect(lines.first == "10.0.0.1  empty: the provider has no record of this address")
        #expect(lines.value(of: "Reason") == "private range")
        #expect(lines.value(of: "Age") == "scanned 2 s ago, refreshes in 5 min")
    }

    @Test(arguments: Failure.Kind.allCases) func `a failure of any kind is shown with its message`(kind: Failure.Kind)
        throws
    {
        let lines = Self.lines(try Sample.entry(.failed, failure: kind))
        #expect(lines.first == "192.0.2.1  failed: no record")
        let (label, text) =
            switch kind {
            case .offline: ("Failure", "it went wrong; next try when the network is back")
            case .quotaExhausted, .storeFailed: ("Waiting", "it went wrong")
            default: ("Failure", "it went wrong")
            }
        #expect(lines.value(of: label) == text)
    }

    @Test func `an expired lookup is not refreshed`() throws {
        let entry = try Sample.entry(
            .stale, watch: nil, record: Sample.record, scanned: -320, expires: -20, failure: .offline)
        #expect(Self.lines(entry).value(of: "Age") == "scanned 5 min ago, expired 20 s ago")
        #expect(Self.lines(entry).value(of: "Failure") == "it went wrong")
    }

    @Test func `an unwatched address has advice to add it, and its expiry`() throws {
        let entry = try Sample.entry(.fresh, watch: nil, record: Sample.record, scanned: -1, expires: 299)
        let lines = Self.lines(entry)
        #expect(lines.value(of: "Watched") == "no; add it with: ipctl add 192.0.2.1")
        #expect(
            lines.value(of: "Age")
                == "scanned 1 s ago, kept until \(Times.clock(Sample.now + 299_000, from: Sample.now))")
        #expect(lines.value(of: "Tags") == nil)
    }

    @Test func `an address from a file is marked`() throws {
        let watch = Watch(byClient: false, byFile: true)
        #expect(
            Self.lines(try Sample.entry(.loading, watch: watch)).value(of: "Watched") == "yes, from a watch-list file")
    }

    @Test(
        arguments: [
            (0, "UTC+0"), (3_600, "UTC+1"), (-12_600, "UTC-3:30"), (20_700, "UTC+5:45"), (-300, "UTC-0:05"),
            (50_400, "UTC+14"),
        ])
    func `a time zone has its offset`(offset: Int, text: String) throws {
        var record = Record()
        record.offset = offset
        #expect(Self.lines(try Sample.entry(.fresh, record: record, scanned: 0)).value(of: "Time zone") == text)
    }

    @Test(
        arguments: [
            (.fresh, "32"), (.stale, "33"), (.loading, "33"), (.failed, "31"), (.empty, "2"),
        ] as [(EntryState, String)])
    func `each state has its colour`(state: EntryState, color: String) throws {
        let entry = try Sample.entry(state)
        let lines = EntryCard(entry: entry, now: Sample.now).lines(on: Terminal(hasColor: true, columns: 80))
        #expect(lines.first?.contains("\u{1B}[\(color)m\(state.rawValue)") == true)
    }

    @Test func `one entry is a card`() throws {
        let entry = try Sample.entry(.loading)
        #expect(Entries(entries: [entry], now: Sample.now).lines(on: .pipe) == Self.lines(entry))
    }
}
