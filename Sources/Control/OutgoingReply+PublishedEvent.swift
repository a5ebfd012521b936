import JSON
package import RecordKeeping
package import Varlink

extension OutgoingReply {
    /// Encodes an event as a reply to `Monitor`, with more to follow.
    ///
    /// - Parameter entry: the current entry, for an event of a kind with `hasEntry` that has just occurred; otherwise
    ///   nil.
    package static func message(publishing event: PublishedEvent, _ entry: EntryView?) -> [UInt8] {
        if entry == nil { return message(continues: true, capacity: 512) { $0.write(event: event) } }
        return message(Monitor.Reply(event: Interface.Event(event, entry)), continues: true)
    }
}
