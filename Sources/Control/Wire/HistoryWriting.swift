import JSON
import RecordKeeping
import StoredValues

/// Writes changes, outages and kept events. The bytes equal those of the encoded `Interface.Change`, `Interface.Outage`
/// and `Interface.Event`. A page has up to 10,000 elements, and `JSONEncoder` would take ten times as long.
extension JSONWriter {
    /// Events that are not changes are skipped.
    mutating func write(changes page: ChangePage) {
        name("changes")
        array { writer in
            for event in page.events {
                guard event.kind == .changed, let seq = event.seq, let address = event.address else { continue }
                writer.object { writer in
                    writer.member("address", address.description)
                    writer.member("at", event.at.milliseconds)
                    writer.write(fields: event.fields)
                    writer.member("seq", seq)
                }
            }
        }
        member("next", page.next)
    }

    mutating func write(outages: [Outage]) {
        name("outages")
        array { writer in
            for outage in outages {
                writer.object { writer in
                    writer.member("cause", outage.cause.rawValue)
                    writer.member("deferred", Int64(outage.deferred))
                    writer.member("message", outage.message)
                    writer.member("since", outage.since.milliseconds)
                    writer.member("until", outage.until?.milliseconds)
                }
            }
        }
    }

    /// Writes an event without an entry.
    mutating func write(event: PublishedEvent) {
        name("event")
        write(event)
    }

    /// Writes the member `events`.
    mutating func write(events: [PublishedEvent]) {
        name("events")
        array { writer in
            for event in events { writer.write(event) }
        }
    }

    private mutating func write(_ event: PublishedEvent) {
        object { writer in
            writer.member("address", event.address?.description)
            writer.member("at", event.at.milliseconds)
            if !event.fields.isEmpty { writer.write(fields: event.fields) }
            writer.member("kind", event.kind.rawValue)
            writer.member("message", event.message)
            writer.member("name", event.name?.description)
            writer.member("seq", event.seq)
            writer.member("user", event.user.map { Int64($0) })
        }
    }

    private mutating func write(fields: [FieldChange]) {
        name("fields")
        array { writer in
            for field in fields { writer.write(field) }
        }
    }
}
