import Control
import RecordKeeping
import Varlink

/// Each of the addresses has a fresh record, all at the same time.
struct FreshCondition: WaitCondition {
    let addresses: [String]
    let kinds: [Notice.Kind] = [.refreshed, .removed]
    private var pending: Set<String>

    init(addresses: [String]) {
        self.addresses = addresses
        pending = Set(addresses)
    }

    var lacking: String { "\(shown(pending)) \(pending.count == 1 ? "is" : "are") not fresh" }

    mutating func wait(for events: EventStream, looking onlooker: Connection, _ output: Output) throws(Complaint) {
        while true {
            let reply = try onlooker.call("Show", Control.Show.Parameters(addresses: addresses, wait: 0))
            let entries = try reply.decoded(Control.Show.Reply.self).entries
            pending = try self.pending(entries)
            guard !pending.isEmpty else {
                output.isJSON
                    ? output.print(reply.parameters) : output.print(Entries(entries).lines(on: output.terminal))
                return
            }
            // Those that were fresh may have grown old by the time that the last of these is: then it is looked at again.
            while !pending.isEmpty {
                let event = try events.next().event
                guard let address = event.address else { continue }
                if event.kind == Notice.Kind.removed.rawValue { throw removed(address) }
                pending.remove(address)
            }
        }
    }

    private func pending(_ entries: [Interface.Entry]) throws(Complaint) -> Set<String> {
        var pending: Set<String> = []
        for entry in entries where entry.state != EntryState.fresh.rawValue {
            if entry.state == EntryState.empty.rawValue { throw withoutRecord(entry) }
            guard entry.watched else { throw notWatched(entry.address) }
            pending.insert(entry.address)
        }
        return pending
    }
}
