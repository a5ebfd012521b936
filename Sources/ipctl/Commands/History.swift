import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl history`
struct History: Command {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show what changed in an address's record and when, newest first.",
        discussion: """
            A line for each field: what it was, and what it is since then. History is kept as long as the configuration \
            says (keep-history, 90 days where it says nothing), and goes when the address is removed.

            Exit status: 1 where nothing has changed, and for an address that is not on the watch list.

            Examples:
              ipctl history 1.1.1.1
              ipctl history 1.1.1.1 --limit 1           the last change
              ipctl list --changed-since 24h            which addresses changed
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Argument(help: "An IPv4 or IPv6 address of the watch list.", completion: .watchedAddresses)
    var address: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show so many changes at most (default: \(Control.History.defaultLimit)).", valueName: "number"),
        transform: { try WholeNumber.option($0, in: 1...Int64(Limits.changesPerPage)) })
    var limit: Int64?

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        output.isPaged = true
        let parameters = Control.History.Parameters(
            address: address, limit: limit ?? Int64(Control.History.defaultLimit))
        let reply = try connection.call("History", parameters)
        let changes = try reply.decoded(Control.History.Reply.self).changes
        guard !output.isJSON else {
            output.print(reply.parameters)
            return changes.isEmpty ? .notAsAsked : .done
        }
        guard !changes.isEmpty else {
            throw Complaint(status: .notAsAsked, message: "no change of \(address.printable) is known")
        }
        for change in changes { output.print(ChangeLines(change).lines(on: output.terminal)) }
        return .done
    }
}
