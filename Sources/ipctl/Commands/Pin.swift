import ArgumentParser

/// The command `ipctl pin`.
struct Pin: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Pin addresses to the top of the list.",
        discussion: """
            If any address is not on the watch list, nothing is pinned.

            Examples:
              ipctl pin 1.1.1.1 2606:4700:4700::1111
              ipctl list --pinned
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var addressArguments: AddressArguments

    @OptionGroup var preview: PreviewOption

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        try Labelling(addresses: try addressArguments.list().uniqueAddresses, isPinned: true, participle: "pinned")
            .run(on: connection, output, isPreview: preview.dryRun)
    }
}
