import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl export`
struct Export: Command {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the watch list with its labels to a file or to standard output.",
        discussion: """
            All entries with their tags, notes and pins, in a form that ipctl import takes; those that stand in watch-list \
            files are among them, and belong to clients once they are imported. Records are not: ipctl list --all --json \
            has them.

            JSON Lines has an object a line, CSV (RFC 4180) a header; tags are parted by blanks:
              {"address":"192.0.2.1","note":null,"pinned":true,"tags":["dns"]}
              address,tags,note,pinned

            --json is JSON Lines, too, whatever the file is called.

            Examples:
              ipctl export > watch-list.jsonl
              ipctl export --file watch-list.csv        CSV, for the name says so
              ipctl export --format csv | cut -d, -f1
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Option(help: "How it is written (default: what the file's name says, else jsonl).")
    var format: ListFormat?

    @Option(
        help: ArgumentHelp(
            "Write to this file; a file that is there is replaced once all is written. - for standard output.",
            valueName: "file"), completion: .file())
    var file: String?

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        guard !output.isJSON || format != .csv else {
            throw Complaint(status: .usage, message: "--json and --format csv are two things: give one of them")
        }
        let path = file == "-" ? nil : file
        let format = output.isJSON ? .jsonl : format ?? ListFormat(ofFile: path ?? "")
        let target = try path.map { path throws(Complaint) in try ReplacedFile(path) }
        func write(_ bytes: [UInt8]) throws(Complaint) {
            if let target {
                try target.write(bytes)
            } else {
                output.print(bytes: bytes)
                try output.flush()
            }
        }
        if format == .csv { try write(CSVColumns.header.bytes) }
        let isBarInTheWay = path == nil && output.terminal.columns != nil
        var bar: ProgressBar?
        var done = 0
        try ListPages(Control.List.Parameters()).read(as: Page.self, from: connection) { _, page throws(Complaint) in
            if bar == nil, !isBarInTheWay { bar = ProgressBar(total: page.total) }
            try write(page.entries.flatMap { $0.bytes(format) })
            done += page.entries.count
            bar?.show(done)
        }
        bar?.end()
        try target?.finish()
        if let path, !output.isJSON {
            output.print("\(done == 1 ? "1 address" : "\(Times.grouped(done)) addresses") written to \(path)")
        }
        return .done
    }

    /// What is needed of a reply to `List`.
    private struct Page: ListPage {
        struct Entry: Decodable {
            var address: String
            var tags: [String]
            var note: String?
            var pinned: Bool

            func bytes(_ format: ListFormat) -> [UInt8] {
                let entry = ListedEntry(address: address, tags: tags, note: note, isPinned: pinned)
                return format == .csv ? entry.csv.bytes : entry.json
            }
        }

        var entries: [Entry]
        var next: String?
        var total: Int
    }
}
