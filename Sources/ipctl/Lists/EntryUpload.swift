import Glibc
import Varlink

/// Uploads entries with individual labels to the watch list, with many concurrent calls.
///
/// All calls are prepared in a file before the first call is sent.
struct EntryUpload {
    private let buffer: TemporaryBuffer
    private var calls = ImportCalls()
    private var addresses: Set<String> = []
    private(set) var total = 0

    init() throws(CommandError) {
        buffer = try TemporaryBuffer()
    }

    mutating func append(_ entry: ListedEntry) throws(CommandError) {
        total += 1
        addresses.insert(entry.address)
        for step in calls.add(entry) { try buffer.append(step.message) }
    }

    /// Sends all calls, and shows the progress.
    ///
    /// - Parameter command: the command to run again after an interruption, such as "the same import".
    /// - Returns: the number of new addresses, and the number of addresses that were already on the list.
    mutating func send(
        on connection: DaemonConnection, _ output: Output, retryCommand command: String
    ) throws(CommandError) -> (added: Int, already: Int) {
        for step in calls.finish() { try buffer.append(step.message) }
        try buffer.rewind()
        connection.interruption = try SignalPipe([SIGINT, SIGTERM, SIGHUP])
        defer { connection.interruption = nil }
        let bar = ProgressBar(total: total)
        bar.show(0)
        var (added, already) = (0, 0)
        var pipeline = PipelinedConnections(from: connection) { reply throws(CommandError) in
            if output.isJSON {
                output.print(reply.parameters)
                try output.flush()
            }
            let counts = try reply.decoded(Counts.self)
            added = added.clampedAdding(counts.added ?? 0)
            already = already.clampedAdding(counts.already ?? 0)
            bar.show(added.clampedAdding(already))
        }
        do throws(CommandError) {
            while let message = try buffer.next() {
                message.count > 1 ? try pipeline.send(message) : try pipeline.wait()
            }
        } catch {
            bar.end()
            guard added.clampedAdding(already) > 0 else { throw error.explainingTagLimit }
            let done = "\(Times.grouped(added.clampedAdding(already))) of \(Times.grouped(total)) addresses"
            throw error.explainingTagLimit.advising(
                "At least \(done) are now on the list; run \(command) again to add the rest.")
        }
        bar.end()
        // The first line that names an address adds it. The daemon counts further lines of the same address as already
        // listed.
        return (added, max(0, already - (total - addresses.count)))
    }

    /// The counts in a reply to `Add` or to `Label`.
    private struct Counts: Decodable {
        var added: Int?
        var already: Int?
    }
}

extension ImportCalls.Step {
    /// The step as a message in the buffer; a wait is a single zero byte.
    fileprivate var message: [UInt8] {
        switch self {
        case .call(let message): message
        case .wait: [0]
        }
    }
}
