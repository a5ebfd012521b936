import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl show`
struct Show: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what is known of addresses: one as a card, several as a table.",
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

    @OptionGroup var given: AddressArguments

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Wait at most so long for what is not fresh: 2s, 500ms (default: 5s).", valueName: "span"),
        transform: { try TimeSpan(option: $0, upTo: Show.longestWait) })
    var wait: TimeSpan?

    @Option(
        help: ArgumentHelp("Print only this field, a line each; may be given several times.", valueName: "name"),
        completion: .fields)
    var field: [String] = []

    func validate() throws {
        if let unknown = field.first(where: { !FieldValues.names.contains($0) }) {
            throw ValidationError(
                "there is no field \"\(unknown)\"; the fields are \(FieldValues.names.joined(separator: ", "))")
        }
    }

    private static let longestWait = TimeSpan("24h")

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        var entries: [Interface.Entry] = []
        for part in try given.all().parts(of: Limits.addressesPerRequest) {
            let reply = try connection.call(
                "Show", Control.Show.Parameters(addresses: part, wait: wait?.milliseconds))
            entries += try reply.decoded(Control.Show.Reply.self).entries
            if output.isJSON { output.print(reply.parameters) }
        }
        if output.isJSON { return ExitStatus(of: entries) }
        if !field.isEmpty {
            for entry in entries {
                for name in field { output.print((FieldValues(entry)[name] ?? "").printable) }
            }
        } else {
            output.print(Entries(entries).lines(on: output.terminal))
        }
        return ExitStatus(of: entries)
    }
}
