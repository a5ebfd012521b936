import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl show`
struct Show: Command {
    static let configuration = CommandConfiguration(
        abstract: "Show what is known of addresses: one as a card, several as a table.",
        discussion: """
            A record that is fresh is shown at once and costs no call. Otherwise a call is made and awaited. An address \
            that is not on the watch list is looked up all the same, and kept for one interval.

            Examples:
              ipctl show 1.1.1.1
              ipctl show 1.1.1.1 8.8.8.8 9.9.9.9
              ipctl show 8.8.8.8 --field isp --field country
              ipctl show 8.8.8.8 --wait 0          what is known already, at once
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Argument(help: "IPv4 or IPv6 addresses.", completion: .watchedAddresses)
    var addresses: [String]

    @Option(help: ArgumentHelp("Wait at most so long for what is not fresh (default: 5).", valueName: "seconds"))
    var wait: Double?

    @Option(
        help: ArgumentHelp("Print only this field, a line each; may be given several times.", valueName: "name"),
        completion: .fields)
    var field: [String] = []

    func validate() throws {
        if let wait, !(0...86_400).contains(wait) { throw ValidationError("--wait takes 0 to 86400 seconds.") }
        if let unknown = field.first(where: { !FieldValues.names.contains($0) }) {
            throw ValidationError(
                "There is no field \"\(unknown)\". The fields are: \(FieldValues.names.joined(separator: ", ")).")
        }
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let milliseconds = wait.map { Int64($0 * 1_000) }
        let reply = try connection.call(
            "Show", Control.Show.Parameters(addresses: addresses, wait: milliseconds))
        let entries = try reply.decoded(Control.Show.Reply.self).entries
        if output.isJSON {
            output.print(reply.parameters)
        } else if !field.isEmpty {
            for entry in entries {
                for name in field { output.print((FieldValues(entry)[name] ?? "").printable) }
            }
        } else {
            output.print(Entries(entries).lines(on: output.terminal))
        }
        return ExitStatus(of: entries)
    }
}
