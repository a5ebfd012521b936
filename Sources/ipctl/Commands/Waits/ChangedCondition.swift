import Control
import RecordKeeping
import Varlink

/// The condition that the record of each address has changed since the command started.
struct ChangedCondition: WaitCondition {
    let addresses: [String]
    let fields: [String]
    let kinds: [PublishedEvent.Kind] = [.changed, .removed]
    let needsKeptEvents = true
    private var pending: Set<String>

    init(addresses: [String], fields: [String] = []) {
        self.addresses = addresses
        self.fields = fields
        pending = Set(addresses)
    }

    var unmetReason: String { "\(shown(pending)) \(pending.count == 1 ? "has" : "have") not changed" }

    mutating func wait(for events: EventStream, querying queries: DaemonConnection, _ output: Output)
        throws(CommandError)
    {
        let reply = try queries.call("Show", Control.Show.Parameters(addresses: addresses, wait: 0))
        for entry in try reply.decoded(Control.Show.Reply.self).entries {
            guard entry.watched else { throw notWatched(entry.address) }
            if entry.state == EntryState.empty.rawValue { throw withoutRecord(entry) }
        }
        while !pending.isEmpty {
            let (event, reply) = try events.next()
            guard let address = event.address else { continue }
            if event.kind == PublishedEvent.Kind.removed.rawValue { throw removed(address) }
            pending.remove(address)
            output.print(reply.parameters, or: [EventLine(event: event, now: Times.now).line(on: output.terminal)])
            try output.flush()
        }
    }
}
