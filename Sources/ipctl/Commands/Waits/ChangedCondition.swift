import Control
import RecordKeeping
import Varlink

/// The record of each of the addresses has changed since the waiting began.
struct ChangedCondition: WaitCondition {
    let addresses: [String]
    let kinds: [Notice.Kind] = [.changed, .removed]
    private var pending: Set<String>

    init(addresses: [String]) {
        self.addresses = addresses
        pending = Set(addresses)
    }

    var lacking: String { "\(shown(pending)) \(pending.count == 1 ? "has" : "have") not changed" }

    mutating func wait(for events: EventStream, looking onlooker: Connection, _ output: Output) throws(Complaint) {
        let reply = try onlooker.call("Show", Control.Show.Parameters(addresses: addresses, wait: 0))
        for entry in try reply.decoded(Control.Show.Reply.self).entries {
            guard entry.watched else { throw notWatched(entry.address) }
            if entry.state == EntryState.empty.rawValue { throw withoutRecord(entry) }
        }
        while !pending.isEmpty {
            let (event, reply) = try events.next()
            guard let address = event.address else { continue }
            if event.kind == Notice.Kind.removed.rawValue { throw removed(address) }
            pending.remove(address)
            if output.isJSON {
                output.print(reply.parameters)
            } else {
                output.print(EventLine(event, now: Times.now).line(on: output.terminal))
            }
            try output.flush()
        }
    }
}
