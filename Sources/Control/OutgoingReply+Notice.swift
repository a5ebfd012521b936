package import RecordKeeping
package import Varlink

extension OutgoingReply {
    /// Encodes an event as a reply to `Monitor`, with more to follow.
    ///
    /// - Parameter entry: the current entry, for an event of kind `refreshed`; nil for all others.
    package static func message(telling notice: Notice, _ entry: EntryView?) -> [UInt8] {
        if let plain = plainMessage(telling: notice, entry) { return plain }
        if entry == nil { return message(continues: true, capacity: 512) { $0.write(event: notice) } }
        return message(Monitor.Reply(event: Interface.Event(notice, entry)), continues: true)
    }

    /// Encodes an event that consists of a kind, an address, a time and a seq; returns nil for any other event.
    ///
    /// A reload publishes thousands of such events, and an encoder takes ten times as long. The bytes are the same.
    private static func plainMessage(telling notice: Notice, _ entry: EntryView?) -> [UInt8]? {
        guard entry == nil, notice.message == nil, notice.fields.isEmpty, let address = notice.address,
            let seq = notice.seq
        else { return nil }
        // Members are sorted by name. None of the values needs escaping.
        let text =
            #"{"continues":true,"parameters":{"event":{"address":"\#(address)","at":\#(notice.at.milliseconds),"#
            + #""kind":"\#(notice.kind.rawValue)","seq":\#(seq)}}}"#
        return Array(text.utf8) + [0]
    }
}
