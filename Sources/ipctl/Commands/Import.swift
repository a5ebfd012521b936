import ArgumentParser
import Control
import Glibc
import RecordKeeping
import Varlink

/// The command `ipctl import`.
struct Import: Command {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import addresses with their labels into the watch list.",
        discussion: """
            JSON Lines has one object per line. CSV (RFC 4180) has a header, and tags are separated by spaces. Only \
            the address is required. A watch with a time in watchedUntil ends at that time (Unix milliseconds):
              {"address":"192.0.2.1","note":"ours","pinned":true,"tags":["dns"]}
              address,tags,note,pinned,watchedUntil

            The whole file is read before anything is sent: if any line is invalid, nothing is imported. An address \
            that is already on the list keeps its record, tags and pin, and gets the tags, the pin and the note of its \
            line.

            Examples:
              ipctl import watch-list.jsonl
              ipctl export | ssh other-host ipctl import -
              ipctl import --format csv servers.csv
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file; - for standard input.", completion: .file())
    var file: String?

    @Option(help: "The input format (default: detected from the content).")
    var format: ListFormat?

    @OptionGroup var preview: PreviewOption

    func validate() throws {
        guard file != nil || isatty(STDIN_FILENO) == 0 else {
            throw ValidationError("give a file, or - for standard input")
        }
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let reader = try ImportReader(file ?? "-", format: format)
        let noAddresses = CommandError(status: .badData, message: "no addresses in \(reader.name)")
        if preview.dryRun {
            var entries: [ListedEntry] = []
            while let entry = try reader.next() { entries.append(entry) }
            guard !entries.isEmpty else { throw noAddresses }
            try Preview(adding: entries, on: connection).print(to: output)
            return .done
        }
        var upload = try EntryUpload()
        while let entry = try reader.next() { try upload.append(entry) }
        guard upload.total > 0 else { throw noAddresses }
        let (added, already) = try upload.send(on: connection, output, retryCommand: "the same import")
        if !output.isJSON { output.print(Add.sentence(added: added, already: already)) }
        return .done
    }
}
