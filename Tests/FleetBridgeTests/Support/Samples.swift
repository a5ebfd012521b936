import Fleet
import RecordKeeping

/// Typical rows of a journal.
enum Samples {
    /// A host that has run for a year, fetching records of 3,000,000 cohorts.
    static let sentAt = Instant(
        boot: BootTime(nanoseconds: 31_536_000_123_456_789), wall: WallTime(milliseconds: 1_796_000_000_123))
    static let cohort = CohortID(number: 3_000_000)

    /// The reply of a call whose records are unchanged.
    static let unchangedCohort = Commit.Write.cohort(cohort, at: sentAt, provider: "ip-api.com")

    static let window = Commit.Write.window(
        SavedWindow(
            provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 9, outstanding: 1,
            resetsAt: sentAt.advanced(by: .nanoseconds(41_234_567_890)), length: .seconds(60),
            margin: .milliseconds(1_212)))

    /// A cohort of this many records, with one changed field each, of one place and network, and the events.
    static func changedRecords(_ count: Int) -> [Commit.Write] {
        var writes = [unchangedCohort]
        for index in 0..<count {
            let address = IPAddress(v4: 0x0808_0000 + UInt32(index) * 977)
            let entry = Entry(
                watch: Watch(byClient: true, tags: ["dns"], note: "resolvers"),
                scan: Scan(answer: .record(record(index)), at: sentAt, provider: "ip-api.com"), changedAt: sentAt.wall)
            writes.append(
                .put(
                    EntryKey(id: EntryID(number: Int64(500_000 + index * 13)), address: address), entry, cohort: cohort)
            )
            writes.append(
                .event(
                    PublishedEvent(
                        seq: Int64(index), at: sentAt.wall, kind: .changed, address: address,
                        fields: [FieldChange(field: "city", old: "Berlin", new: "Potsdam")])))
        }
        return writes
    }

    /// The addition of this many addresses in ascending order.
    static func addition(_ count: Int) -> [Commit.Write] {
        (0..<count).flatMap { index -> [Commit.Write] in
            let address = IPAddress(v4: 0x0808_0000 + UInt32(index) * 977)
            let entry = Entry(watch: Watch(byClient: true, tags: ["dns"]))
            let event = PublishedEvent(seq: Int64(index), at: sentAt.wall, kind: .added, address: address, user: 1_000)
            return [
                .put(EntryKey(id: EntryID(number: Int64(500_000 + index)), address: address), entry, cohort: nil),
                .event(event),
            ]
        }
    }

    static func row(_ body: [UInt8], encoding: Int) -> JournalRow {
        let id = UniqueID(high: 1, low: 2)
        return JournalRow(
            seq: 1, id: id, previous: id, term: 1, incarnation: 1, clock: sentAt.boot, encoding: encoding, body: body)
    }

    private static func record(_ index: Int) -> Record {
        var (place, network) = (Place(), Network())
        (place.continent, place.continentCode) = ("Europe", "EU")
        (place.country, place.countryCode, place.region) = ("Germany", "DE", "BB")
        (place.regionName, place.city, place.timezone) = ("Brandenburg", "Potsdam", "Europe/Berlin")
        (place.offset, place.currency) = (3_600, "EUR")
        (network.isp, network.org) = ("Deutsche Telekom AG", "Deutsche Telekom AG")
        (network.as, network.asname) = ("AS3320 Deutsche Telekom AG", "DTAG")
        var record = Record(place: place, network: network)
        (record.lat, record.lon, record.zip) = (52.3989, 13.0657, "14467")
        record.reverse = "p4fd0\(1_000 + index).dip0.t-ipconnect.de"
        (record.mobile, record.proxy, record.hosting) = (false, false, true)
        return record
    }
}

extension Instant {
    /// An hour after the boot, early in 2026.
    static let test = Instant(
        boot: BootTime(nanoseconds: 3_600_000_000_000), wall: WallTime(milliseconds: 1_770_000_000_000))
}

extension HostName {
    static let sample = {
        guard let name = try? HostName("example.org") else { preconditionFailure("a host name") }
        return name
    }()
}
