import ArgumentParser
import Control
import Varlink

/// `ipctl remove`
struct Remove: Command {
    static let configuration = CommandConfiguration(
        abstract: "Take addresses off the watch list, with their history.",
        discussion: """
            All or none. An address that stands in a watch-list file leaves with its line: take it out there, then \
            ipctl reload. A record that is still fresh is kept for the rest of its life, so that adding the address again \
            makes no second call within the interval.

            Example:
              ipctl remove 1.1.1.1 2606:4700:4700::1111
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Argument(help: "IPv4 or IPv6 addresses.", completion: .watchedAddresses)
    var addresses: [String]

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let reply = try connection.call("Remove", Control.Remove.Parameters(addresses: addresses))
        let removed = try reply.decoded(Control.Remove.Reply.self).removed
        guard !output.isJSON else {
            output.print(reply.parameters)
            return .done
        }
        output.print(removed == 1 ? "1 address removed" : "\(Times.grouped(removed)) addresses removed")
        // The daemon has taken them all, so each is an address; however it is spelled, it is counted once.
        let left = addresses.countOfAddresses - removed
        guard left > 0 else { return .done }
        output.print(
            "\(Times.grouped(left)) still on the list, for the configuration or a watch-list file has "
                + "\(left == 1 ? "it" : "them"): take the line out there, then ipctl reload")
        return removed > 0 ? .done : .notAsAsked
    }
}
