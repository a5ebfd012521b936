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
            line. Addresses whose "watchedUntil" has passed are left out, and their number is printed on standard \
            error.

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
            let ended = try Self.read(reader) { entry in entries.append(entry) }
            guard !entries.isEmpty || ended > 0 else { throw noAddresses }
            Self.printNote(ended: ended)
            try Preview(adding: entries, on: connection).print(to: output)
            return .done
        }
        var upload = try EntryUpload()
        let ended = try Self.read(reader) { entry throws(CommandError) in try upload.append(entry) }
        guard upload.total > 0 || ended > 0 else { throw noAddresses }
        Self.printNote(ended: ended)
        guard upload.total > 0 else { return .done }
        let counts = try upload.send(on: connection, output, retryCommand: "the same import")
        guard !output.isJSON else { return .done }
        output.print(counts.sentence())
        if let sentence = counts.sentenceAboutRemovedEnds { output.print(sentence) }
        return .done
    }

    /// Reads the entries whose watches have not ended.
    ///
    /// - Returns: the number of entries whose watches have ended.
    private static func read(
        _ reader: ImportReader, _ use: (ListedEntry) throws(CommandError) -> Void
    ) throws(CommandError) -> Int {
        let now = Times.now
        var ended = 0
        while let entry = try reader.next() {
            if let end = entry.watchedUntil, end <= now { ended += 1 } else { try use(entry) }
        }
        return ended
    }

    private static func printNote(ended: Int) {
        guard ended > 0 else { return }
        Output.printMessage("left out \(Times.count(ended, "address")): the time in \"watchedUntil\" has passed")
    }
}
