package import RecordKeeping
package import Varlink

extension OutgoingReply {
    /// A listener's reply that tells what happened; others follow it.
    ///
    /// - Parameter entry: the entry as it is now, for what is told as it happens.
    package static func message(telling notice: Notice, _ entry: EntryView?) -> [UInt8] {
        if let plain = plainMessage(telling: notice, entry) { return plain }
        if entry == nil { return message(continues: true, capacity: 512) { $0.write(event: notice) } }
        return message(Monitor.Reply(event: Interface.Event(notice, entry)), continues: true)
    }

    /// The same bytes, of what is no more than an address and a time: it happens by the thousand when a list is read, and an
    /// encoder takes ten times as long. Nil for anything else.
    private static func plainMessage(telling notice: Notice, _ entry: EntryView?) -> [UInt8]? {
        guard entry == nil, notice.message == nil, notice.fields.isEmpty, let address = notice.address,
            let seq = notice.seq
        else { return nil }
        // In the order of the names; none of the texts has anything to escape.
        let text =
            #"{"continues":true,"parameters":{"event":{"address":"\#(address)","at":\#(notice.at.milliseconds),"#
            + #""kind":"\#(notice.kind.rawValue)","seq":\#(seq)}}}"#
        return Array(text.utf8) + [0]
    }
}
