import ArgumentParser

/// The command `ipctl tag`.
struct Tag: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "Add tags to addresses on the watch list.",
        discussion: """
            An address keeps the tags that it has. If any address is not on the watch list, nothing is tagged.

            Examples:
              ipctl tag 1.1.1.1 9.9.9.9 --tag dns
              ipctl tag 192.0.2.1 -t prod -t berlin
              ipctl list --tag prod
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var addressArguments: AddressArguments

    @OptionGroup var preview: PreviewOption

    @Option(name: .shortAndLong, help: TagText.help, completion: .usedTags)
    var tag: [String]

    func validate() throws {
        try TagText.checkNew(tag)
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        try Labelling(addresses: try addressArguments.list().uniqueAddresses, addTags: tag, participle: "tagged")
            .run(on: connection, output, isPreview: preview.dryRun)
    }
}
