import ArgumentParser

/// `ipctl tag`
struct Tag: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "Put tags on addresses of the watch list.",
        discussion: """
            An address keeps the tags that it has. All or none: one address that is not on the watch list, and nothing is \
            tagged.

            Examples:
              ipctl tag 1.1.1.1 9.9.9.9 --tag dns
              ipctl tag 192.0.2.1 -t prod -t berlin
              ipctl list --tag prod
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
            try given.each(), addTags: tag, one: "1 address tagged", many: "addresses tagged"
        ).run(on: connection, output)
    }
}
