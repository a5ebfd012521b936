import Control
import Glibc
import Varlink

/// Waits until addresses have an answer, with a bar for a person who looks on.
struct Waiting {
    let addresses: [String]

    /// A batch's worth, so that the bar moves with the calls.
    private static let addressesPerCall = 100
    /// The daemon's own longest is an hour; between two calls the person can see how far it is.
    private static let longestWaitMilliseconds: Int64 = 600_000

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let bar = ProgressBar(total: addresses.count)
        var status = ExitStatus.done
        var done = 0
        var entries: [Interface.Entry] = []
        for part in addresses.parts(of: Self.addressesPerCall) {
            bar.show(done)
            let parameters = Control.Show.Parameters(addresses: part, wait: Self.longestWaitMilliseconds)
            let reply = try connection.call("Show", parameters)
            if output.isJSON { output.print(reply.parameters) }
            let answered = try reply.decoded(Control.Show.Reply.self).entries
            done += part.count
            entries += answered
            status = status.worse(ExitStatus(of: answered))
        }
        bar.end()
        if !output.isJSON { output.print(Entries(entries).lines(on: output.terminal)) }
        return status
    }
}
