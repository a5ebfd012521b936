import ArgumentParser

/// `ipctl pin`
struct Pin: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Pin addresses: they stand first in the list.",
        discussion: """
            All or none: one address that is not on the watch list, and nothing is pinned.

            Examples:
              ipctl pin 1.1.1.1 2606:4700:4700::1111
              ipctl list --pinned
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @OptionGroup var given: AddressArguments

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        try Labelling(
            try given.each(), isPinned: true, one: "1 address pinned", many: "addresses pinned"
        ).run(on: connection, output)
    }
}
