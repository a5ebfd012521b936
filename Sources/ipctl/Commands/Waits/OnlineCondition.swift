import Control
import RecordKeeping
import Varlink

/// There is a way to the provider.
struct OnlineCondition: WaitCondition {
    let addresses: [String] = []
    let kinds: [Notice.Kind] = [.networkRestored]
    private var reason: String?

    init() {}

    var lacking: String { "there is no way to the provider\(reason.map { ": \($0.printable)" } ?? "")" }

    mutating func wait(for events: EventStream, looking onlooker: Connection, _ output: Output) throws(Complaint) {
        while true {
            let reply = try onlooker.call("Status", Control.Status.Parameters())
            let network = try reply.decoded(Control.Status.Reply.self).network
            guard network.state != "online" else {
                let since = Times.clock(network.since, from: Times.now)
                output.isJSON ? output.print(reply.parameters) : output.print("online since \(since)")
                return
            }
            reason = network.reason
            // It may be lost again by the time that this is heard.
            _ = try events.next()
        }
    }
}
