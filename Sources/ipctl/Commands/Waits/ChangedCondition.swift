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
        try requireWatched(on: queries)
        let reply = try queries.call("Show", Control.Show.Parameters(addresses: addresses, wait: 0))
        for entry in try reply.decoded(Control.Show.Reply.self).entries {
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

    /// Only watched addresses have a history, and reading it makes no call to the provider. `Show` would look up the
    /// other addresses.
    private func requireWatched(on queries: DaemonConnection) throws(CommandError) {
        do throws(CommandError) {
            _ = try queries.call("History", Control.History.Parameters(addresses: addresses, limit: 1))
        } catch {
            guard case .notWatched(let address)? = error.controlError else { throw error }
            throw notWatched(address)
        }
    }
}
