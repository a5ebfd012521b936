import ArgumentParser
import Control

/// `ipctl note`
struct Note: Command {
    static let configuration = CommandConfiguration(
        abstract: "Write a note on addresses of the watch list.",
        discussion: """
            It takes the place of the note that was there. All or none: one address that is not on the watch list, and \
            nothing is changed.

            Examples:
              ipctl note 1.1.1.1 --note "Cloudflare's resolver"
              ipctl note 1.1.1.1 --clear
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Argument(help: "IPv4 or IPv6 addresses of the watch list.", completion: .watchedAddresses)
    var addresses: [String]

    @Option(help: ArgumentHelp("The note, one line.", valueName: "text"))
    var note: String?

    @Flag(help: "Take the note away.")
    var clear = false

    func validate() throws {
        guard (note != nil) != clear else { throw ValidationError("Give --note TEXT to write one, or --clear.") }
        guard let note else { return }
        guard !note.isEmpty else { throw ValidationError("The note is empty; --clear takes a note away.") }
        try TagText.check(note: note)
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        try Labelling(
            parameters: Control.Label.Parameters(addresses: addresses, note: note ?? ""),
            one: clear ? "1 note taken away" : "1 note written",
            many: clear ? "notes taken away" : "notes written"
        ).run(on: connection, output)
    }
}
