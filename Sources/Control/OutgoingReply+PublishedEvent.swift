import JSON
package import RecordKeeping
package import Varlink

extension OutgoingReply {
    /// Encodes an event as a reply to `Monitor`, with more to follow.
    ///
    /// - Parameter entry: the current entry, for an event of kind `refreshed`; nil for all others.
    package static func message(publishing event: PublishedEvent, _ entry: EntryView?) -> [UInt8] {
        if let plain = plainMessage(publishing: event, entry) { return plain }
        if entry == nil { return message(continues: true, capacity: 512) { $0.write(event: event) } }
        return message(Monitor.Reply(event: Interface.Event(event, entry)), continues: true)
    }

    /// Encodes an event that consists of a kind, an address, a time and a seq; returns nil for any other event.
    ///
    /// A reload publishes thousands of such events, and `JSONEncoder` would take ten times as long. Both produce the
    /// same bytes.
    private static func plainMessage(publishing event: PublishedEvent, _ entry: EntryView?) -> [UInt8]? {
        guard entry == nil, event.message == nil, event.fields.isEmpty, let address = event.address,
            let seq = event.seq
        else { return nil }
        // Members are sorted by name. None of the values needs escaping.
        let text =
            #"{"continues":true,"parameters":{"event":{"address":"\#(address)","at":\#(event.at.milliseconds),"#
            + #""kind":"\#(event.kind.rawValue)","seq":\#(seq)}}}"#
        return Array(text.utf8) + [0]
    }
}
