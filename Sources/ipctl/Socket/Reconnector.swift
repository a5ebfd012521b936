import Control
import Glibc

/// Reconnects to the daemon after the daemon has closed a connection.
struct Reconnector {
    private let path: String
    /// The deadline of the command; nil for none.
    private let deadline: Deadline?
    private let interruption: SignalPipe?
    private let reader: OutputReader?
    private var delayMilliseconds = Reconnector.minDelayMilliseconds
    /// The moment from which the current connection counts as stable; nil before the first attempt.
    private var stableDeadline: Deadline?
    /// Whether the daemon did not return in time.
    private(set) var hasGivenUp = false

    /// Minimum delay between attempts: a restart takes less than a second.
    static let minDelayMilliseconds: Int32 = 100
    /// Maximum delay between attempts: each attempt may start a daemon that fails at startup.
    static let maxDelayMilliseconds: Int32 = 5_000
    /// Time after which reconnecting fails: a migration of a large database takes minutes, and a service manager should
    /// notice a daemon that does not return.
    static let maxDuration = Duration.seconds(300)
    /// Time after which a connection counts as stable: a daemon that closes a connection sooner is failing, so the next
    /// attempt is delayed.
    static let minStableDuration = Duration.seconds(10)
    /// Maximum duration of one attempt: signals are checked between attempts.
    static let connectDuration = Duration.seconds(1)

    /// - Parameters:
    ///   - interruption: signals that end the wait.
    ///   - reader: the reader without which the wait ends; nil if the wait does not depend on a reader.
    init(path: String, deadline: Deadline?, interruption: SignalPipe? = nil, reader: OutputReader? = nil) {
        (self.path, self.deadline, self.interruption, self.reader) = (path, deadline, interruption, reader)
    }

    /// Waits until the daemon replies on a new connection.
    ///
    /// - Returns: the connection, with the usual limit for each reply, and the daemon's status.
    mutating func reconnect() throws(CommandError) -> (connection: DaemonConnection, status: Control.Status.Reply) {
        var end = Deadline(in: Self.maxDuration)
        if let deadline, deadline.isBefore(end) { end = deadline }
        if stableDeadline?.isOver == false {
            try pause(until: end)
        } else {
            delayMilliseconds = Self.minDelayMilliseconds
        }
        while true {
            do throws(CommandError) {
                return try attempt(until: end)
            } catch {
                guard error.status == .noDaemon || error.isUnresponsive else { throw error }
                guard !end.isOver else { throw overdue() }
            }
            try pause(until: end)
        }
    }

    private mutating func attempt(
        until end: Deadline
    ) throws(CommandError) -> (connection: DaemonConnection, status: Control.Status.Reply) {
        let limits = TimeLimits(silence: Self.connectDuration, deadline: end)
        let connection = try DaemonConnection(to: SocketPath(option: path), limits: limits)
        (connection.interruption, connection.reader) = (interruption, reader)
        // Connections to a daemon that is starting, with or without systemd, are accepted before the daemon replies.
        connection.limits = TimeLimits(silence: nil, deadline: end)
        let reply = try connection.call("Status", Control.Status.Parameters())
        connection.limits = TimeLimits(silence: TimeLimits.usualSilence, deadline: deadline)
        stableDeadline = Deadline(in: Self.minStableDuration)
        return (connection, try reply.decoded(Control.Status.Reply.self))
    }

    private mutating func pause(until end: Deadline) throws(CommandError) {
        let pause = min(delayMilliseconds, end.remaining)
        delayMilliseconds = min(delayMilliseconds * 2, Self.maxDelayMilliseconds)
        var waiting = [
            pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            reader?.polled ?? pollfd(fd: -1, events: 0, revents: 0),
        ]
        poll(&waiting, 2, pause)
        try interruption?.check()
        try OutputReader.check(waiting[1])
    }

    private mutating func overdue() -> CommandError {
        if let deadline, deadline.isOver { return CommandError(timeLimit: deadline) }
        hasGivenUp = true
        let span = Times.exactSpan(milliseconds: Deadline(in: Self.maxDuration).spanMilliseconds)
        return CommandError(
            status: .noDaemon, message: "the daemon at \(path) did not return within \(span)",
            advice: "See systemctl status iprecordd, or run ipctl doctor.")
    }
}
