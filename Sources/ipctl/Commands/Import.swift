import ArgumentParser
import Control
import Glibc
import RecordKeeping
import Varlink

/// `ipctl import`
struct Import: Command {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Put an exported list with its labels on the watch list.",
        discussion: """
            JSON Lines has an object a line, CSV (RFC 4180) a header; tags are parted by blanks. All but the address may \
            be left out:
              {"address":"192.0.2.1","note":"ours","pinned":true,"tags":["dns"]}
              address,tags,note,pinned

            The whole file is read before anything is sent: one bad line, and nothing is imported. An address that is on \
            the list already keeps its record, tags and pin, and gets the tags, the pin and the note of its line.

            Examples:
              ipctl import watch-list.jsonl
              ipctl export | ssh other-host ipctl import -
              ipctl import --format csv servers.csv
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file; - for standard input.", completion: .file())
    var file: String?

    @Option(help: "How it is written (default: what the content says).")
    var format: ListFormat?

    func validate() throws {
        guard file != nil || isatty(STDIN_FILENO) == 0 else {
            throw ValidationError("give a file, or - for standard input")
        }
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let reader = try ListReader(file ?? "-", format: format)
        let spool = try Spool()
        let (total, repeated) = try Self.prepare(reader, into: spool)
        guard total > 0 else { throw Complaint(status: .badData, message: "there is no address in \(reader.name)") }

        connection.interruption = try SignalPipe([SIGINT, SIGTERM, SIGHUP])
        defer { connection.interruption = nil }
        let bar = ProgressBar(total: total)
        bar.show(0)
        var (added, already) = (0, 0)
        var lanes = Lanes(from: connection) { reply throws(Complaint) in
            if output.isJSON {
                output.print(reply.parameters)
                try output.flush()
            }
            let counts = try reply.decoded(Counts.self)
            added += counts.added ?? 0
            already += counts.already ?? 0
            bar.show(added + already)
        }
        do throws(Complaint) {
            while let message = try spool.next() {
                message.count > 1 ? try lanes.send(message) : try lanes.wait()
            }
        } catch {
            bar.end()
            guard added + already > 0 else { throw error.ofLabels }
            let done = "\(Times.grouped(added + already)) of \(Times.grouped(total)) addresses"
            var complaint = error.ofLabels
            complaint.advice = "At least \(done) are on the list by now; the same import again does the rest."
            throw complaint
        }
        bar.end()
        // What stands in the file twice was on the list by its first line.
        if !output.isJSON { output.print(Add.sentence(added: added, already: max(0, already - repeated))) }
        return .done
    }

    /// Reads and checks all of it.
    ///
    /// - Returns: how many entries there are, and how many of them are of an address that had one before.
    private static func prepare(
        _ reader: ListReader, into spool: Spool
    ) throws(Complaint) -> (total: Int, repeated: Int) {
        var calls = ImportCalls()
        var total = 0
        var addresses: Set<String> = []
        while let entry = try reader.next() {
            total += 1
            addresses.insert(entry.address)
            for step in calls.add(entry) { try spool.append(step.message) }
        }
        for step in calls.finish() { try spool.append(step.message) }
        try spool.rewind()
        return (total, total - addresses.count)
    }

    /// Of a reply to `Add` or to `Label`.
    private struct Counts: Decodable {
        var added: Int?
        var already: Int?
    }
}

extension ImportCalls.Step {
    /// As it stands in the spool: what has to be waited for is a message of nothing.
    fileprivate var message: [UInt8] {
        switch self {
        case .call(let message): message
        case .wait: [0]
        }
    }
}
