import RecordKeeping
import Varlink

/// Writes the elements of a history, a list of outages and kept events, byte for byte as `Interface.Change`,
/// `Interface.Outage` and `Interface.Event` are encoded. A page has up to 10,000 of them, and an encoder takes ten
/// times as long.
extension JSONWriter {
    /// - Parameter notices: notices that are not changes are skipped.
    mutating func write(changes notices: [Notice]) {
        name("changes")
        array { writer in
            for notice in notices {
                guard notice.kind == .changed, let seq = notice.seq, let address = notice.address else { continue }
                writer.object { writer in
                    writer.member("address", address.description)
                    writer.member("at", notice.at.milliseconds)
                    writer.write(fields: notice.fields)
                    writer.member("seq", seq)
                }
            }
        }
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
    mutating func write(event notice: Notice) {
        name("event")
        object { writer in
            writer.member("address", notice.address?.description)
            writer.member("at", notice.at.milliseconds)
            if !notice.fields.isEmpty { writer.write(fields: notice.fields) }
            writer.member("kind", notice.kind.rawValue)
            writer.member("message", notice.message)
            writer.member("seq", notice.seq)
        }
    }

    private mutating func write(fields: [FieldChange]) {
        name("fields")
        array { writer in
            for field in fields {
                writer.object { writer in
                    writer.member("field", field.field)
                    writer.member("new", field.new)
                    writer.member("old", field.old)
                }
            }
        }
    }
}
