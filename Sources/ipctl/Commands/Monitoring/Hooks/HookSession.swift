import Control
import Glibc

/// A running `ipctl monitor --exec`, which runs a command for each event, and saves the cursor after the events whose
/// commands have finished.
final class HookSession {
    private let settings: MonitorSession.Settings
    private let interruption: SignalPipe?
    private let deadline: Deadline?
    private let source: HookSource
    private var queue: HookQueue
    private var runs: HookRuns
    /// The last event that is finished, or that does not match the filter.
    private var cursor: CursorFile.Cursor
    private var quietTimes: QuietTimes

    /// Time for which the running commands may continue after a signal or an error. The service manager kills a service
    /// after 90 seconds by default.
    static let graceMilliseconds: Int64 = 10_000
    /// Time after SIGKILL after which this program ends without the commands, which the kernel does not end while they
    /// wait for a disk.
    private static let abandonMilliseconds: Int64 = 1_000

    /// - Parameters:
    ///   - connection: its signal pipe must include SIGCHLD.
    ///   - start: the event after which the session begins.
    init(
        on connection: DaemonConnection, after start: CursorFile.Cursor, _ settings: MonitorSession.Settings,
        _ options: HookOptions
    ) throws(CommandError) {
        try HookProcess.prepare()
        self.settings = settings
        (interruption, deadline) = (connection.interruption, connection.limits.deadline)
        queue = HookQueue(options.policy)
        runs = try HookRuns(options.exec, timeout: options.timeout, socket: connection.path)
        source = try HookSource(on: connection, after: start, settings)
        cursor = start
        quietTimes = QuietTimes(at: connection.path, settings)
    }

    /// Runs until a signal arrives, the time limit expires or an error occurs, and then throws. Commands that are
    /// running may finish first.
    func run() throws(CommandError) -> Never {
        do throws(CommandError) {
            while true { try turn() }
        } catch {
            finish()
            try conclude()
            throw error
        }
    }

    private func turn() throws(CommandError) {
        try interruption?.check()
        if let deadline, deadline.isOver { throw CommandError(timeLimit: deadline) }
        try source.reconnect(at: Deadline.now)
        // After the signals have been read, so that no SIGCHLD is missed before the wait.
        try conclude()
        runs.signal(at: Deadline.now)
        try startCommands()
        if queue.isEmpty { quietTimes.beginIfDue(after: cursor.seq) }
        let ready = wait(reads: !queue.isFull)
        runs.writeInputs()
        if let descriptor = source.descriptor, ready.contains(descriptor) {
            for event in try source.receive() { queue.append(event) }
        }
        if let descriptor = quietTimes.descriptor, ready.contains(descriptor) { try endQuietTime() }
    }

    // MARK: Commands

    private func startCommands() throws(CommandError) {
        while let run = queue.start(at: Deadline.now) {
            if let ended = runs.start(run, at: Deadline.now) { note(ended) }
        }
        try save(queue.cursor)
    }

    /// Notes the commands that have ended, and saves the cursor.
    private func conclude() throws(CommandError) {
        for ended in runs.reap() { note(ended) }
        try save(queue.cursor)
    }

    /// - Parameter isLast: whether this program ends, so that the command does not run again.
    private func note(_ ended: HookRuns.Ended, isLast: Bool = false) {
        let outcome = queue.end(ended.run, isSuccess: ended.failure == nil, at: Deadline.now)
        guard let failure = ended.failure else { return }
        let consequence =
            switch outcome {
            case .finished: ""
            case .retries where isLast: ""
            case .retries(let milliseconds): "; trying again in \(Times.exactSpan(milliseconds: milliseconds))"
            case .skipped(let tries): "; skipped after \(tries == 1 ? "1 try" : "\(tries) tries")"
            }
        Output.printMessage("\(ended.run.event.name): \(failure)\(consequence)")
    }

    /// Saves the last finished event. Signals do not interrupt this; they are handled afterwards.
    private func save(_ finished: CursorFile.Cursor?) throws(CommandError) {
        guard let finished, finished.seq > cursor.seq else { return }
        cursor = finished
        quietTimes.postpone()
        try settings.cursor?.write(finished)
    }

    /// Waits until the running commands have ended, and terminates them after a grace period or a second signal. Starts
    /// no more commands.
    private func finish() {
        let begin = Deadline.now
        var end = begin + Self.graceMilliseconds
        runs.lowerLimits(to: end)
        while true {
            if let interruption, interruption.receivedSignals().contains(where: { $0 != SIGCHLD }) {
                end = min(end, Deadline.now)
                runs.lowerLimits(to: end)
            }
            for ended in runs.reap() { note(ended, isLast: true) }
            let now = Deadline.now
            guard !runs.isEmpty, now < end + HookLimit.killMilliseconds + Self.abandonMilliseconds else { return }
            runs.signal(at: now)
            var polled = [polledSignals] + polledInputs
            poll(&polled, nfds_t(polled.count), remaining([runs.nextSignal, now + Self.abandonMilliseconds]))
            runs.writeInputs()
        }
    }

    // MARK: Waiting

    /// - Parameter reads: whether to wait for events.
    /// - Returns: the descriptors that are ready.
    private func wait(reads: Bool) -> Set<Int32> {
        let readable = [reads ? source.descriptor : nil, quietTimes.descriptor].compactMap { $0 }
        var polled =
            [polledSignals] + polledInputs + readable.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let times = [source.nextAttempt, runs.nextSignal, queue.nextStart]
        let deadlines = [deadline, queue.isEmpty ? quietTimes.deadline : nil].compactMap { $0?.remaining }
        let milliseconds = ([remaining(times)] + deadlines).filter { $0 >= 0 }.min() ?? -1
        guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return [] }
        return Set(polled.filter { $0.revents != 0 }.map(\.fd))
    }

    private var polledSignals: pollfd { pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0) }

    private var polledInputs: [pollfd] {
        runs.pendingInputs.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
    }

    /// Returns the milliseconds until the earliest of the times; -1 without a time.
    private func remaining(_ times: [Int64?]) -> Int32 {
        times.compactMap { $0 }.min().map { Int32(clamping: max(0, $0.clampedSubtracting(Deadline.now))) } ?? -1
    }

    /// Moves the cursor past events that do not match, if a check has found that there are only such events.
    private func endQuietTime() throws(CommandError) {
        guard let cursor = quietTimes.receive(listener: source.descriptor, isIdle: queue.isEmpty) else { return }
        // No event up to this one matches, so none of them is in the queue.
        source.skip(to: cursor)
        try save(cursor)
    }
}
