import Control
import Varlink

@testable import RecordKeeping

/// Sample entries, events and statuses.
enum Sample {
    /// 2027-01-15 08:00:00 UTC.
    static let now: Int64 = 1_800_000_000_000
    static let address = "192.0.2.1"

    static func wall(_ secondsFromNow: Int64) -> WallTime { WallTime(milliseconds: now + secondsFromNow * 1_000) }

    static func instant(_ secondsFromNow: Int64) -> Instant {
        Instant(boot: BootTime(nanoseconds: 0), wall: wall(secondsFromNow))
    }

    static var record: Record {
        var record = Record()
        record.continent = "Europe"
        record.country = "Germany"
        record.countryCode = "DE"
        record.regionName = "Land Berlin"
        record.city = "Berlin"
        record.district = "Mitte"
        record.zip = "10115"
        record.lat = 52.5
        record.lon = -13
        record.timezone = "Europe/Berlin"
        record.offset = 3_600
        record.currency = "EUR"
        record.isp = "Example ISP"
        record.org = "Example Org"
        record.as = "AS64500 Example"
        record.asname = "EXAMPLE"
        record.reverse = "host.example"
        record.mobile = false
        record.proxy = true
        record.hosting = true
        return record
    }

    /// A record of local databases.
    static var offline: Interface.OfflineRecord {
        var record = Record()
        record.city = "Ulm"
        record.countryCode = "DE"
        record.as = "AS64496 Offline"
        return Interface.OfflineRecord(
            record: record, database: "GeoLite2-City, GeoLite2-ASN", builtAt: wall(-30 * 86_400))
    }

    static var watch: Watch {
        Watch(byClient: true, isPinned: true, tags: ["dns", "prod"], note: "ours")
    }

    static func entry(
        _ state: EntryState, address: String = address, watch: Watch? = watch, record: Record? = nil,
        scanned: Int64? = nil,
        expires: Int64? = nil, changed: Int64? = nil, reason: String? = nil, failure: Failure.Kind? = nil,
        attempts: Int = 1, nextAttempt: Int64? = nil
    ) throws -> Interface.Entry {
        let answer = record.map { Answer.record($0) } ?? .empty(reason: reason ?? "")
        let scan = scanned.map { Scan(answer: answer, at: instant($0), provider: "ip-api.com") }
        let view = EntryView(
            address: try IPAddress(address), state: state,
            entry: Entry(watch: watch, scan: scan, changedAt: changed.map(wall)), expiresAt: expires.map(wall),
            reason: reason,
            failure: failure.map { Failure(kind: $0, message: "it went wrong", at: instant(-5), attempts: attempts) },
            nextAttemptAt: nextAttempt.map(wall))
        return Interface.Entry(view)
    }

    static func event(
        _ kind: PublishedEvent.Kind, address: String? = address, fields: [FieldChange] = [], message: String? = nil,
        entry: EntryView? = nil
    ) throws -> Interface.Event {
        let event = PublishedEvent(
            seq: 1, at: wall(0), kind: kind, address: try address.map { try IPAddress($0) }, fields: fields,
            message: message)
        return Interface.Event(event, entry)
    }

    /// The endpoints, of which one has a state other than `ok`.
    static func endpoints(
        _ failing: Call.Endpoint, _ state: ProviderState, message: String
    ) -> [StatusView.Endpoint] {
        Call.Endpoint.allCases.map {
            StatusView.Endpoint(
                endpoint: $0, state: $0 == failing ? state : .ok, since: wall(-60),
                message: $0 == failing ? message : nil, calls: 9, failures: 9)
        }
    }

    /// The reply to `Status` on the wire.
    static func statusReply(_ change: (inout StatusView) -> Void = { _ in }) -> [UInt8] {
        OutgoingReply.message(status(change))
    }

    static func status(_ change: (inout StatusView) -> Void = { _ in }) -> Control.Status.Reply {
        let provider = StatusView.Provider(
            name: "ip-api.com", state: .ok, since: wall(-3_600), message: nil, calls: 12_345, failures: 2,
            lastCallAt: wall(-7),
            quotas: [
                StatusView.Quota(endpoint: .single, limit: 45, remaining: 40, resetsAt: wall(30)),
                StatusView.Quota(endpoint: .batch, limit: nil, remaining: nil, resetsAt: nil),
            ])
        var view = StatusView(
            startedAt: wall(-7_200), isOnline: true, networkSince: wall(-7_200), networkReason: nil, provider: provider,
            counts: StatusView.Counts(watched: 1_500, cached: 3, pinned: 2, byState: [.fresh: 1_490, .failed: 13]),
            interval: .seconds(300), nextAt: wall(4), due: 2, inFlight: 100, load: 0.335, lastSeq: 99)
        change(&view)
        let store = Interface.Store(
            path: "/var/lib/iprecord/records.db", bytes: 3_000_000, changes: 1, lastSeq: view.lastSeq,
            failure: view.storeFailure)
        return Control.Status.Reply(view, version: "1.2.3", endpoint: "http://ip-api.com", store: store)
    }
}
