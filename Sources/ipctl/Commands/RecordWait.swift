import Control
import Glibc
import Varlink

/// Waits for the first result of each address, and shows the progress on a terminal.
struct RecordWait {
    let addresses: [String]

    /// Addresses per call: the provider's maximum batch size, so that the progress bar advances with each request.
    private static let addressesPerCall = 100
    /// The maximum wait per call, well below the daemon's limit of an hour.
    private static let maxWaitMilliseconds: Int64 = 600_000

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let bar = ProgressBar(total: addresses.count)
        var done = 0
        var entries: [Interface.Entry] = []
        for part in addresses.parts(of: Self.addressesPerCall) {
            bar.show(done)
            let parameters = Control.Show.Parameters(addresses: part, wait: Self.maxWaitMilliseconds)
            let reply = try connection.call(
                "Show", parameters, wait: .milliseconds(Self.maxWaitMilliseconds))
            if output.isJSON { output.print(reply.parameters) }
            entries += try reply.decoded(Control.Show.Reply.self).entries
            done += part.count
        }
        bar.end()
        if !output.isJSON { output.print(Entries(entries: entries).lines(on: output.terminal)) }
        return ExitStatus(of: entries)
    }
}
