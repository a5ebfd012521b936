import ArgumentParser

/// The command `ipctl untag`.
struct Untag: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "untag", abstract: "Remove tags from addresses on the watch list.",
        discussion: """
            A tag that an address does not have is ignored. If any address is not on the watch list, nothing is changed.

            Examples:
              ipctl untag 1.1.1.1 --tag dns
              ipctl untag 192.0.2.1 192.0.2.2 -t prod -t berlin
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var addressArguments: AddressArguments

    @OptionGroup var preview: PreviewOption

    @Option(name: .shortAndLong, help: TagText.help, completion: .usedTags)
    var tag: [String]

    func validate() throws {
        try TagText.check(tag)
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        try Labelling(addresses: try addressArguments.list().uniqueAddresses, removeTags: tag, participle: "untagged")
            .run(on: connection, output, isPreview: preview.dryRun)
    }
}
