import JSON
package import RecordKeeping
package import Varlink

extension OutgoingReply {
    /// Encodes an event as a reply to `Monitor`, with more to follow.
    ///
    /// - Parameters:
    ///   - entry: the current entry, for an event of a kind with `hasEntry` that has just occurred; otherwise nil.
    ///   - offline: returns the record that is added to an entry without a fresh record.
    package static func message(
        publishing event: PublishedEvent, _ entry: EntryView?, offline: OfflineLookup = { _ in nil }
    ) -> [UInt8] {
        guard let entry else { return message(continues: true, capacity: 512) { $0.write(event: event) } }
        let record = entry.state == .fresh ? nil : offline(entry.address)
        return message(Monitor.Reply(event: Interface.Event(event, entry, offline: record)), continues: true)
    }
}
