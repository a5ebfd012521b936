import RecordKeeping
import Varlink

/// Entries, put down as `Interface.Entry` and `Interface.Record` are encoded: most of what is told is these. Names are in their
/// order, and what is nil is left out.
extension JSONWriter {
    mutating func value(_ view: EntryView) {
        object { writer in
            let (watch, scan) = (view.entry.watch, view.entry.scan)
            writer.member("address", view.address.description)
            writer.member("changedAt", view.entry.changedAt?.milliseconds)
            writer.member("expiresAt", view.expiresAt?.milliseconds)
            if let failure = view.failure { writer.member(failure, nextAttemptAt: view.nextAttemptAt) }
            writer.member("note", watch?.note)
            if let watch { writer.member("origin", watch.byClient ? "client" : "file") }
            writer.member("pinned", watch?.isPinned ?? false)
            writer.member("provider", scan?.provider)
            writer.member("reason", view.reason)
            if let record = scan?.answer.record { writer.member(record) }
            writer.member("scannedAt", scan?.at.wall.milliseconds)
            writer.member("state", view.state.rawValue)
            writer.name("tags")
            writer.array { writer in
                for tag in watch?.tags ?? [] { writer.value(tag) }
            }
            writer.member("watched", watch != nil)
        }
    }

    private mutating func member(_ failure: Failure, nextAttemptAt: WallTime?) {
        name("failure")
        object { writer in
            writer.member("at", failure.at.wall.milliseconds)
            writer.member("attempts", Int64(failure.attempts))
            writer.member("kind", failure.kind.rawValue)
            writer.member("message", failure.message)
            writer.member("nextAttemptAt", nextAttemptAt?.milliseconds)
        }
    }

    private mutating func member(_ record: Record) {
        name("record")
        object { writer in
            writer.member("as", record.as)
            writer.member("asn", record.asn.map { Int64($0) })
            writer.member("asname", record.asname)
            writer.member("city", record.city)
            writer.member("continent", record.continent)
            writer.member("continentCode", record.continentCode)
            writer.member("country", record.country)
            writer.member("countryCode", record.countryCode)
            writer.member("currency", record.currency)
            writer.member("district", record.district)
            writer.member("hosting", record.hosting)
            writer.member("isp", record.isp)
            writer.member("lat", record.lat)
            writer.member("lon", record.lon)
            writer.member("mobile", record.mobile)
            writer.member("offset", record.offset.map { Int64($0) })
            writer.member("org", record.org)
            writer.member("proxy", record.proxy)
            writer.member("region", record.region)
            writer.member("regionName", record.regionName)
            writer.member("reverse", record.reverse)
            writer.member("timezone", record.timezone)
            writer.member("zip", record.zip)
        }
    }
}
