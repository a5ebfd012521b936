import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl show`.
struct Show: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the records of addresses: one as a card, several as a table.",
        discussion: """
            A fresh record is shown at once and costs no call; otherwise a call is made and awaited. An address that \
            is not on the watch list is looked up too, and its record is kept for one interval.

            Examples:
              ipctl show 1.1.1.1
              ipctl show 1.1.1.1 8.8.8.8 9.9.9.9
              ipctl show 8.8.8.8 --field isp --field country
              ipctl show 8.8.8.8 --wait 0          the last known record, without waiting
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var addressArguments: AddressArguments

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Wait at most this long for fresh records: 2s, 500ms (default: 5s).", valueName: "duration"),
        transform: { try TimeSpan(option: $0, upTo: Show.maxWait) })
    var wait: TimeSpan?

    @Option(
        help: ArgumentHelp("Print only this field, one line per address; can be repeated.", valueName: "name"),
        completion: .fields)
    var field: [String] = []

    func validate() throws {
        try Choice.check("field", field, in: FieldValues.names)
    }

    private static let maxWait = TimeSpan("24h")

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        var entries: [Interface.Entry] = []
        for part in try addressArguments.list().addresses.parts(of: Limits.addressesPerRequest) {
            let reply = try connection.call(
                "Show", Control.Show.Parameters(addresses: part, wait: wait?.milliseconds),
                wait: wait.map { .milliseconds($0.milliseconds) } ?? Control.Show.defaultWait)
            entries += try reply.decoded(Control.Show.Reply.self).entries
            if output.isJSON { output.print(reply.parameters) }
        }
        if output.isJSON { return ExitStatus(of: entries) }
        if !field.isEmpty {
            for entry in entries {
                for name in field { output.print((FieldValues(entry: entry)[name] ?? "").printable) }
            }
        } else {
            output.print(Entries(entries: entries).lines(on: output.terminal))
        }
        return ExitStatus(of: entries)
    }
}
