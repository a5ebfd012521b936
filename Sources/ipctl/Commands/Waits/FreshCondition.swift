import Control
import RecordKeeping
import Varlink

/// The condition that all addresses have fresh records at the same time.
struct FreshCondition: WaitCondition {
    let addresses: [String]
    let kinds: [PublishedEvent.Kind] = [.refreshed, .removed]
    private var pending: Set<String>

    init(addresses: [String]) {
        self.addresses = addresses
        pending = Set(addresses)
    }

    var unmetReason: String { "\(shown(pending)) \(pending.count == 1 ? "is" : "are") not fresh" }

    mutating func wait(for events: EventStream, querying queries: DaemonConnection, _ output: Output)
        throws(CommandError)
    {
        while true {
            let reply = try queries.call("Show", Control.Show.Parameters(addresses: addresses, wait: 0))
            let entries = try reply.decoded(Control.Show.Reply.self).entries
            pending = try self.pending(entries)
            guard !pending.isEmpty else {
                output.print(reply.parameters, or: Entries(entries: entries).lines(on: output.terminal))
                return
            }
            // Other records may expire before the last one is fresh, so all are checked again afterwards.
            while !pending.isEmpty {
                let event = try events.next().event
                guard let address = event.address else { continue }
                if event.kind == PublishedEvent.Kind.removed.rawValue { throw removed(address) }
                pending.remove(address)
            }
        }
    }

    private func pending(_ entries: [Interface.Entry]) throws(CommandError) -> Set<String> {
        var pending: Set<String> = []
        for entry in entries where entry.state != EntryState.fresh.rawValue {
            if entry.state == EntryState.empty.rawValue { throw withoutRecord(entry) }
            guard entry.watched else { throw notWatched(entry.address) }
            pending.insert(entry.address)
        }
        return pending
    }
}
