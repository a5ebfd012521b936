import ArgumentParser

/// The command `ipctl note`.
struct Note: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Set the note of addresses on the watch list.",
        discussion: """
            The new note replaces the old one. If any address is not on the watch list, nothing is changed.

            Examples:
              ipctl note 1.1.1.1 --note "Cloudflare's resolver"
              ipctl note 1.1.1.1 --clear
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var addressArguments: AddressArguments

    @OptionGroup var preview: PreviewOption

    @Option(help: ArgumentHelp("The note, a single line.", valueName: "text"))
    var note: String?

    @Flag(help: "Remove the note.")
    var clear = false

    func validate() throws {
        guard (note != nil) != clear else { throw ValidationError("give either --note TEXT or --clear") }
        if let note { try TagText.check(note: note) }
    }

    /// Whether the command removes the note. An empty note also removes it.
    private var isRemoval: Bool { clear || note?.isEmpty == true }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        try Labelling(
            addresses: try addressArguments.list().uniqueAddresses, note: note ?? "", noun: "note",
            participle: isRemoval ? "removed" : "written"
        ).run(on: connection, output, isPreview: preview.dryRun)
    }
}
