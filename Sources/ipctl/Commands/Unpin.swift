import ArgumentParser

/// The command `ipctl unpin`.
struct Unpin: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Unpin addresses.",
        discussion: """
            The addresses stay on the watch list. If any address is not on it, nothing is changed.

            Example:
              ipctl unpin 1.1.1.1
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var addressArguments: AddressArguments

    @OptionGroup var preview: PreviewOption

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        try Labelling(addresses: try addressArguments.list().uniqueAddresses, isPinned: false, participle: "unpinned")
            .run(on: connection, output, isPreview: preview.dryRun)
    }
}
