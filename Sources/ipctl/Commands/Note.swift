import ArgumentParser

/// `ipctl note`
struct Note: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Write a note on addresses of the watch list.",
        discussion: """
            It takes the place of the note that was there. All or none: one address that is not on the watch list, and \
            nothing is changed.

            Examples:
              ipctl note 1.1.1.1 --note "Cloudflare's resolver"
              ipctl note 1.1.1.1 --clear
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @OptionGroup var given: AddressArguments

    @Option(help: ArgumentHelp("The note, one line.", valueName: "text"))
    var note: String?

    @Flag(help: "Take the note away.")
    var clear = false

    func validate() throws {
        guard (note != nil) != clear else { throw ValidationError("give --note TEXT to write one, or --clear") }
        if let note { try TagText.check(note: note) }
    }

    /// An empty note is none.
    private var isTakenAway: Bool { clear || note?.isEmpty == true }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        try Labelling(
            try given.each(), note: note ?? "", one: isTakenAway ? "1 note taken away" : "1 note written",
            many: isTakenAway ? "notes taken away" : "notes written"
        ).run(on: connection, output)
    }
}
