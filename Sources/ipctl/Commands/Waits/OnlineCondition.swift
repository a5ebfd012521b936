import Control
import RecordKeeping
import Varlink

/// The condition that there is a route to the provider.
struct OnlineCondition: WaitCondition {
    let addresses: [String] = []
    let kinds: [PublishedEvent.Kind] = [.networkRestored]
    private var reason: String?

    init() {}

    var unmetReason: String { "there is no route to the provider\(reason.map { ": \($0.printable)" } ?? "")" }

    mutating func wait(for events: EventStream, querying queries: DaemonConnection, _ output: Output)
        throws(CommandError)
    {
        while true {
            let reply = try queries.call("Status", Control.Status.Parameters())
            let network = try reply.decoded(Control.Status.Reply.self).network
            guard network.state != "online" else {
                let since = Times.clock(network.since, from: Times.now)
                output.print(reply.parameters, or: ["online since \(since)"])
                return
            }
            reason = network.reason
            // The route may be lost again before the event is read, so the status is checked again.
            _ = try events.next()
        }
    }
}
