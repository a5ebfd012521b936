import ArgumentParser

/// `ipctl untag`
struct Untag: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "untag", abstract: "Take tags off addresses of the watch list.",
        discussion: """
            A tag that an address does not have is no error. All or none: one address that is not on the watch list, and \
            nothing is changed.

            Examples:
              ipctl untag 1.1.1.1 --tag dns
              ipctl untag 192.0.2.1 192.0.2.2 -t prod -t berlin
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @OptionGroup var given: AddressArguments

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A tag, one word; may be given several times.", valueName: "tag"), completion: .usedTags)
    var tag: [String]

    func validate() throws {
        try TagText.check(tag)
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        try Labelling(
            try given.each(), removeTags: tag, one: "1 address untagged", many: "addresses untagged"
        ).run(on: connection, output)
    }
}
