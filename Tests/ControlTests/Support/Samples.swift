import Varlink

@testable import Control
@testable import RecordKeeping

/// Sample values with every member present.
enum Samples {
    static let wall = WallTime(milliseconds: 1_800_000_000_000)
    static let instant = Instant(boot: BootTime(nanoseconds: 5), wall: wall)
    static let address = IPAddress(v4: 0x0101_0101)

    static var record: RecordKeeping.Record {
        var record = RecordKeeping.Record()
        for field in texts { record[keyPath: field] = "AS3320 Deutsche Telekom AG" }
        (record.lat, record.lon, record.offset) = (52.5, 13, 7_200)
        (record.mobile, record.proxy, record.hosting) = (true, false, true)
        return record
    }

    private static var texts: [WritableKeyPath<RecordKeeping.Record, String?>] {
        [
            \.continent, \.continentCode, \.country, \.countryCode, \.region, \.regionName, \.city, \.district, \.zip,
            \.timezone, \.currency, \.isp, \.org, \.as, \.asname, \.reverse,
        ]
    }

    static func failure(_ kind: RecordKeeping.Failure.Kind = .timeout) -> RecordKeeping.Failure {
        RecordKeeping.Failure(kind: kind, message: "no reply", at: instant, attempts: 2)
    }

    static func entry(_ state: EntryState = .stale, byFile: Bool = false) -> EntryView {
        let end = WatchEnd(until: wall, elapsed: .seconds(1))
        let watch = Watch(byClient: !byFile, byFile: byFile, isPinned: true, end: end, tags: ["dns"], note: "ours")
        let scan = Scan(answer: .record(record), at: instant, provider: "ip-api.com")
        return EntryView(
            address: address, state: state, entry: Entry(watch: watch, scan: scan, changedAt: wall), expiresAt: wall,
            reason: "private range", failure: failure(), nextAttemptAt: wall)
    }

    static var offline: Interface.OfflineRecord {
        Interface.OfflineRecord(record: record, database: "GeoLite2-City, GeoLite2-ASN", builtAt: wall)
    }

    /// A database whose present file is broken, so that it has every member.
    static var database: Interface.Database {
        Interface.Database(
            path: "/a.mmdb", databaseType: "GeoLite2-City", builtAt: wall, loadedAt: wall, failure: "truncated")
    }

    /// An entry without any optional member.
    static var bareEntry: EntryView { EntryView(address: address, state: .loading, entry: Entry()) }

    static func event(_ kind: PublishedEvent.Kind = .changed) -> PublishedEvent {
        PublishedEvent(
            seq: 7, at: wall, kind: kind, address: address,
            fields: [RecordKeeping.FieldChange(field: "city", old: "Ulm", new: "Aalen")], message: "it changed",
            user: 1_000, name: name)
    }

    static var name: HostName {
        guard let name = try? HostName("www.example") else { preconditionFailure("the name is valid") }
        return name
    }

    static func status(_ state: ProviderState = .ok, isOnline: Bool = false) -> StatusView {
        StatusView(
            startedAt: wall, isOnline: isOnline, networkSince: wall, networkReason: isOnline ? nil : "no route",
            provider: StatusView.Provider(
                name: "ip-api.com", state: state, since: wall, message: "well", calls: 3, failures: 1, lastCallAt: wall,
                quotas: [StatusView.Quota(endpoint: .batch, limit: 15, remaining: 14, resetsAt: wall)],
                endpoints: [
                    StatusView.Endpoint(
                        endpoint: .single, state: state, since: wall, message: "well", calls: 3, failures: 1)
                ]),
            counts: StatusView.Counts(watched: 5, cached: 1, pinned: 2, byState: [.fresh: 6]), interval: .seconds(300),
            nextAt: wall, due: 1, inFlight: 2, load: 0.5, lastSeq: 7, storeFailure: "disk full", user: 1_000,
            isAdministrator: true)
    }

    static let metrics = MetricsView(
        status: status(), watched: [.fresh: 4, .stale: 1], counters: Counters(),
        outages: [.network: Counters.Outages()], oldestRecordAge: .milliseconds(1_500))

    /// Returns the parameters of an encoded reply.
    static func parameters(_ message: [UInt8]) throws -> Value? {
        var client = ClientConversation(limitBytes: 1_000_000)
        client.receive(message)
        return try client.next()?.parameters
    }
}
