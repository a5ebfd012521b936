import ArgumentParser
import Control
import MMDBWriter
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
            ipctl list --all --json, or --format mmdb.

            JSON Lines has one object per line. CSV (RFC 4180) has a header, and tags are separated by spaces:
              {"address":"192.0.2.1","note":null,"pinned":true,"tags":["dns"]}
              address,tags,note,pinned,watchedUntil

            MMDB is the format of GeoIP2 databases. The file contains the last record of each address, with the fields of \
            GeoIP2 City and ASN, and with its state, tags and scan time. ipctl import does not read this format.

            With --json, the format is always JSON Lines.

            Examples:
              ipctl export > watch-list.jsonl
              ipctl export --file watch-list.csv        CSV, because of the file's name
              ipctl export --file iprecord.mmdb         for programs that read GeoIP2
              ipctl export --format csv | cut -d, -f1
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: "The output format (default: by the file's name, else jsonl).")
    var format: ExportFormat?

    @Option(
        help: ArgumentHelp(
            "Write to this file, which is replaced once the export is complete; - for standard output.",
            valueName: "file"), completion: .file())
    var file: String?

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        if output.isJSON, let format, format != .jsonl {
            throw CommandError(status: .usage, message: "give --json or --format \(format.rawValue), not both")
        }
        let path = file == "-" ? nil : file
        let format = output.isJSON ? .jsonl : format ?? ExportFormat(ofFile: path ?? "")
        guard format != .mmdb || path != nil || output.terminal.columns == nil else {
            throw CommandError(status: .usage, message: "an MMDB file is binary: use --file, or redirect the output")
        }
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
        let pages = ListPages(parameters: Control.List.Parameters())
        var bar: ProgressBar?
        var done = 0
        func show(_ count: Int, of total: Int) {
            if bar == nil, !isWrittenToTerminal { bar = ProgressBar(total: total) }
            done += count
            bar?.show(done)
        }
        if format == .mmdb {
            var database = MMDBExport(at: WallTime(milliseconds: Times.now))
            try pages.read(from: connection) { scanner, begin throws(CommandError) in
                try database.page(&scanner, begin: begin)
            } each: { page throws(CommandError) in
                try database.add(page)
                show(page.entries.count, of: page.total)
            }
            try database.finish().write(write)
        } else {
            try pages.read(as: Page.self, from: connection) { _, page throws(CommandError) in
                try write(page.entries.flatMap { $0.bytes(format) })
                show(page.entries.count, of: page.total)
            }
        }
        bar?.end()
        try target?.finish()
        if let path, !output.isJSON {
            output.print("\(Times.count(done, "address")) written to \(path)")
        }
        return .done
    }

    /// The members of a reply to `List` that an export needs.
    private struct Page: ContinuablePage, Decodable {
        struct Entry: Decodable {
            var address: String
            var tags: [String]
            var note: String?
            var pinned: Bool
            var watchedUntil: Int64?

            func bytes(_ format: ExportFormat) -> [UInt8] {
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
