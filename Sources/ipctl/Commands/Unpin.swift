import ArgumentParser
import Control

/// `ipctl unpin`
struct Unpin: Command {
    static let configuration = CommandConfiguration(
        abstract: "Take the pins off addresses.",
        discussion: """
            The addresses stay on the watch list. All or none: one that is not on it, and nothing is changed.

            Example:
              ipctl unpin 1.1.1.1
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Argument(help: "IPv4 or IPv6 addresses of the watch list.", completion: .watchedAddresses)
    var addresses: [String]

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        try Labelling(
            parameters: Control.Label.Parameters(addresses: addresses, pinned: false),
            one: "1 address unpinned", many: "addresses unpinned"
        ).run(on: connection, output)
    }
}
