import Control
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
    mutating func send(
        on connection: DaemonConnection, _ output: Output, retryCommand command: String
    ) throws(CommandError) -> AdditionCounts {
        for step in calls.finish() { try buffer.append(step.message) }
        try buffer.rewind()
        connection.interruption = try SignalPipe([SIGINT, SIGTERM, SIGHUP])
        defer { connection.interruption = nil }
        let bar = ProgressBar(total: total)
        bar.show(0)
        var counts = AdditionCounts()
        var pipeline = PipelinedConnections(from: connection) { reply throws(CommandError) in
            if output.isJSON {
                output.print(reply.parameters)
                try output.flush()
            }
            // Replies to Label have no such counts.
            if reply.parameters["added"] != nil { counts.add(try reply.decoded(Control.Add.Reply.self)) }
            bar.show(counts.added.clampedAdding(counts.already))
        }
        do throws(CommandError) {
            while let message = try buffer.next() {
                message.count > 1 ? try pipeline.send(message) : try pipeline.wait()
            }
        } catch {
            bar.end()
            let listed = counts.added.clampedAdding(counts.already)
            guard listed > 0 else { throw error.explainingTagLimit }
            let done = "\(Times.grouped(listed)) of \(Times.grouped(total)) addresses"
            throw error.explainingTagLimit.advising(
                "At least \(done) are now on the list; run \(command) again to add the rest.")
        }
        bar.end()
        // The first line that names an address adds it. The daemon counts further lines of the same address as already
        // listed.
        counts.already = max(0, counts.already - (total - addresses.count))
        counts.endsKept = min(counts.endsKept, counts.already)
        return counts
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
