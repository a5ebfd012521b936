import Control
import Glibc
import RecordKeeping
import Varlink

/// A running `ipctl enrich`, which reads lines, asks the daemon about their addresses, and writes the lines in order.
///
/// One loop waits for the input, the daemon and the reader of the output. While the daemon is away, lines pass
/// unchanged.
final class EnrichSession {
    struct Settings {
        /// The descriptor to which lines are written.
        var descriptor = STDOUT_FILENO
        /// Milliseconds for which a line waits for replies of the provider; nil if addresses are not looked up.
        var lookupWait: Int64?
        /// Milliseconds for which addresses are watched after they were last seen; nil if they are not.
        var watchTime: Int64?
    }

    private let settings: Settings
    private let entries: EntryAnswers
    private var files: ArraySlice<InputFile>
    private var lines: EnrichedLines
    private var daemon: EnrichDaemon
    private let stream: InterruptibleStream
    private let reader: OutputReader
    /// The bytes to write; those before the index have been written.
    private var (output, written) = ([UInt8](), 0)
    private let interruption: SignalPipe?
    private let deadline: Deadline?
    /// Whether the last byte of the input was a line feed; true at the beginning.
    private var endsWithLineFeed = true
    private var hasInvalidHeader = false
    private var notes = EnrichNotes()

    /// Part of the watch time for which a watch is not extended again: each extension is a change to the watch list.
    private static let pausesPerWatch: Int64 = 10

    init(
        on connection: DaemonConnection, _ files: [InputFile], _ editor: LineEditor, _ entries: EntryAnswers,
        _ settings: Settings
    ) {
        (self.settings, self.entries, self.files) = (settings, entries, files[...])
        (interruption, deadline) = (connection.interruption, connection.limits.deadline)
        lines = EnrichedLines(
            editor,
            EnrichedLines.Settings(
                selectsLines: !entries.keepsAllLines, wait: settings.lookupWait ?? 0,
                watchPause: settings.watchTime.map { $0 / Self.pausesPerWatch }))
        daemon = EnrichDaemon(connection, lookupWait: settings.lookupWait, watchTime: settings.watchTime)
        stream = InterruptibleStream(
            descriptor: settings.descriptor, interruption: interruption, deadline: deadline)
        reader = OutputReader(descriptor: settings.descriptor)
    }

    /// Runs until the end of the input.
    func run() throws(CommandError) -> ExitStatus {
        do throws(CommandError) {
            try passLines()
        } catch {
            // The input that was read is not lost. If the output failed, this fails, too, and the first error counts.
            if !hasInvalidHeader { lines.writeAll() }
            writeRest()
            throw error
        }
        if let error = notes.error(
            unansweredLines: lines.unansweredLines, unwatched: lines.droppedWatches, daemon.lastLoss)
        {
            throw error
        }
        guard !entries.keepsAllLines, lines.selectedLines == 0 else { return notes.hasProblems ? .tryLater : .done }
        throw CommandError(status: .negative, message: "no lines match")
    }

    /// Writes the rest of the output, unless the reader stalls: after a signal, it must not keep the program alive.
    private func writeRest() {
        output += lines.takeOutput()
        var start = -1
        while written > start, written < output.count {
            start = written
            let stream = InterruptibleStream(
                descriptor: settings.descriptor, interruption: interruption, deadline: Deadline(in: Self.maxStall))
            do throws(CommandError) {
                try stream.write(output, from: &written)
            } catch {
                // After the time limit, a reader that has read something may read more.
                guard error.isTimeout else { return }
            }
        }
    }

    /// The time that a reader is given to read after the program was to end.
    private static let maxStall = Duration.seconds(1)

    private func passLines() throws(CommandError) {
        while true {
            try advance()
            try flush()
            let isUsingDaemon = daemon.isWatching(with: lines) || daemon.isBeginningLookups
            guard !files.isEmpty || lines.hasWaitingLines || isUsingDaemon else { return }
            try daemon.work(on: &lines)
            try wait()
        }
    }

    private func advance() throws(CommandError) {
        do throws(LineError) {
            try lines.advance(at: Deadline.now)
        } catch {
            hasInvalidHeader = true
            throw error.commandError(line: 1, of: files.first?.name ?? "the input")
        }
        if lines.hasLongLines { notes.noteLongLines() }
    }

    private func flush() throws(CommandError) {
        if written == output.count {
            (output, written) = (lines.takeOutput(), 0)
        } else {
            // A signal has interrupted an earlier write.
            output += lines.takeOutput()
        }
        let start = Deadline.now
        try stream.write(output, from: &written)
        // While a pager shows a page, the replies wait in the sockets.
        lines.addPause(Deadline.now - start)
    }

    // MARK: Waiting

    /// Waits for the next event, and handles all that have happened.
    private func wait() throws(CommandError) {
        let input = lines.hasRoom ? files.first : nil
        var polled = [
            pollfd(fd: input?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            reader.polled,
        ]
        let channels = daemon.busyChannels
        polled += channels.map { pollfd(fd: $0.connection.descriptor, events: Int16(POLLIN), revents: 0) }
        poll(&polled, nfds_t(polled.count), timeout)
        try interruption?.check()
        if let deadline, deadline.isOver { throw CommandError(timeLimit: deadline) }
        try OutputReader.check(polled[2])
        for (channel, polled) in zip(channels, polled.dropFirst(3)) where polled.revents != 0 {
            try receive(on: channel)
        }
        try daemon.checkSilence(&lines)
        if let input, polled[0].revents != 0 { try read(input) }
    }

    private var timeout: Int32 {
        let line = lines.deadline.map { Int32(clamping: max(0, $0 - Deadline.now)) }
        let daemon = daemon.remaining(isPassingOn: lines.isPassingOn)
        return [line, deadline?.remaining, daemon].compactMap { $0 }.min() ?? -1
    }

    private func read(_ file: InputFile) throws(CommandError) {
        let chunk = try file.nextChunk()
        guard chunk.isEmpty else {
            endsWithLineFeed = chunk.last == UInt8(ascii: "\n")
            return lines.receive(chunk)
        }
        files.removeFirst()
        if files.isEmpty {
            lines.end()
        } else if !endsWithLineFeed {
            // The last line of a file must not be joined with the first line of the next one.
            lines.receive(CollectionOfOne(UInt8(ascii: "\n")))
            endsWithLineFeed = true
        }
    }

    // MARK: Replies

    private func receive(on channel: EnrichChannel) throws(CommandError) {
        guard let received = try daemon.receive(on: channel, &lines) else { return }
        let addresses = received.addresses
        if var search = received.search {
            do throws(CommandError) {
                try search.receive(received.reply, from: channel.connection.path)
            } catch {
                return try handle(error, about: addresses, channel.purpose)
            }
            return try advance(search, about: addresses, on: channel)
        }
        if let error = channel.connection.commandError(of: received.reply) {
            return try handle(error, about: addresses, channel.purpose)
        }
        guard channel.purpose != .watching else { return }
        let entries = try received.reply.decoded(Control.Show.Reply.self).entries
        guard let search = ChangedEntries(self.entries.conditions, among: entries) else {
            return set(addresses, to: entries, changed: nil, after: channel.purpose)
        }
        try advance(search, about: addresses, on: channel)
    }

    /// Makes the next call of a search in the history; at its end, sets the answers.
    private func advance(
        _ search: ChangedEntries, about addresses: [AddressAnswer], on channel: EnrichChannel
    ) throws(CommandError) {
        if let parameters = search.parameters {
            try daemon.send(parameters, of: search, about: addresses, on: channel, &lines)
        } else {
            set(addresses, to: search.entries, changed: search.addresses, after: channel.purpose)
        }
    }

    /// - Parameter changed: the addresses of entries in which one of the fields of the filters has changed; nil if no
    ///   such change is required.
    private func set(
        _ answers: [AddressAnswer], to entries: [Interface.Entry], changed: Set<String>?,
        after purpose: EnrichChannel.Purpose
    ) {
        let byAddress = Dictionary(entries.map { ($0.address, $0) }) { first, _ in first }
        let (now, wallNow) = (Deadline.now, Times.now)
        for answer in answers {
            let entry = byAddress["\(answer.address)"]
            self.entries.set(
                answer, to: entry, hasChanged: changed?.contains("\(answer.address)") ?? true,
                isFinal: purpose == .lookup, now: now, wallNow: wallNow)
            if answer.phase == .awaited { daemon.lookUp(answer, at: now) }
        }
    }

    /// Handles the refusal of a call. Lookups and watches may be refused because of a limit; lines pass nevertheless.
    private func handle(
        _ error: CommandError, about addresses: [AddressAnswer], _ purpose: EnrichChannel.Purpose
    ) throws(CommandError) {
        guard purpose != .reading, error.status == .tryLater else { throw error }
        notes.noteProblem(error)
        guard purpose == .lookup else { return }
        for answer in addresses { answer.complete(until: Deadline.now + EntryAnswers.minUse) }
    }
}
