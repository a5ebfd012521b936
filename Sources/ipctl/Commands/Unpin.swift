import ArgumentParser

/// `ipctl unpin`
struct Unpin: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Take the pins off addresses.",
        discussion: """
            The addresses stay on the watch list. All or none: one that is not on it, and nothing is changed.

            Example:
              ipctl unpin 1.1.1.1
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @OptionGroup var given: AddressArguments

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        try Labelling(
            try given.each(), isPinned: false, one: "1 address unpinned", many: "addresses unpinned"
        ).run(on: connection, output)
    }
}
