import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl export`.
struct Export: Command {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the watch list with its labels to a file or to standard output.",
        discussion: """
            Writes all entries with their tags, notes and pins, and the times at which watches end by themselves, in a \
            format that ipctl import reads. Entries from \
            watch-list files are included; once imported, they belong to clients. Records are not included: use \
            ipctl list --all --json.

            JSON Lines has one object per line. CSV (RFC 4180) has a header, and tags are separated by spaces:
              {"address":"192.0.2.1","note":null,"pinned":true,"tags":["dns"]}
              address,tags,note,pinned,watchedUntil

            With --json, the format is always JSON Lines.

            Examples:
              ipctl export > watch-list.jsonl
              ipctl export --file watch-list.csv        CSV, because of the file's name
              ipctl export --format csv | cut -d, -f1
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: "The output format (default: by the file's name, else jsonl).")
    var format: ListFormat?

    @Option(
        help: ArgumentHelp(
            "Write to this file, which is replaced once the export is complete; - for standard output.",
            valueName: "file"), completion: .file())
    var file: String?

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        guard !output.isJSON || format != .csv else {
            throw CommandError(status: .usage, message: "give --json or --format csv, not both")
        }
        let path = file == "-" ? nil : file
        let format = output.isJSON ? .jsonl : format ?? ListFormat(ofFile: path ?? "")
        let target = try path.map { path throws(CommandError) in try AtomicFile(path) }
        func write(_ bytes: [UInt8]) throws(CommandError) {
            if let target {
                try target.write(bytes)
            } else if output.terminal.columns != nil {
                let text = String(decoding: bytes, as: UTF8.self)
                output.print(bytes: Array((format == .csv ? text.printableLines : text.escapedJSON).utf8))
                try output.flush()
            } else {
                output.print(bytes: bytes)
                try output.flush()
            }
        }
        if format == .csv { try write(CSVColumns.header.bytes) }
        let isWrittenToTerminal = path == nil && output.terminal.columns != nil
        var bar: ProgressBar?
        var done = 0
        try ListPages(parameters: Control.List.Parameters()).read(as: Page.self, from: connection) {
            _, page throws(CommandError) in
            if bar == nil, !isWrittenToTerminal { bar = ProgressBar(total: page.total) }
            try write(page.entries.flatMap { $0.bytes(format) })
            done += page.entries.count
            bar?.show(done)
        }
        bar?.end()
        try target?.finish()
        if let path, !output.isJSON {
            output.print("\(Times.count(done, "address")) written to \(path)")
        }
        return .done
    }

    /// The members of a reply to `List` that an export needs.
    private struct Page: ContinuablePage {
        struct Entry: Decodable {
            var address: String
            var tags: [String]
            var note: String?
            var pinned: Bool
            var watchedUntil: Int64?

            func bytes(_ format: ListFormat) -> [UInt8] {
                let entry = ListedEntry(
                    address: address, tags: tags, note: note, isPinned: pinned, watchedUntil: watchedUntil)
                return format == .csv ? entry.csv.bytes : entry.json
            }
        }

        var entries: [Entry]
        var next: String?
        var total: Int
    }
}
