import Control
import Glibc
import Varlink

/// The result of querying the daemon's status.
enum DaemonProbe {
    case answered(Answer)
    case unreachable(errno: Int32)
    /// The connection was made, but the daemon did not return its status.
    case failed(CommandError)

    struct Answer {
        let status: Control.Status.Reply
        /// The credentials of the process that is listening on the socket; nil if the kernel does not report it.
        var process: ProcessCredentials?
        /// The running daemon and its command line; nil if it cannot be inspected.
        var running: RunningDaemon?
        /// The reason why the daemon cannot read its store; nil if it can read the store, or if this is unknown.
        var storeError: String?
        /// The time of the last kept event; nil if there is none, or if the daemon did not send it.
        var lastEventAt: Int64?
    }

    /// - Parameter timeout: the time limit for each reply; a healthy daemon replies a thousand times faster.
    init(at socket: String, timeout: Duration = .seconds(5)) {
        let connection: DaemonConnection
        do throws(DaemonConnection.Unreachable) {
            connection = try DaemonConnection(path: socket, limits: TimeLimits(silence: timeout))
        } catch {
            self = .unreachable(errno: error.errno)
            return
        }
        do throws(CommandError) {
            let reply = try connection.call("Status", Control.Status.Parameters())
            var answer = Answer(status: try reply.decoded(Control.Status.Reply.self))
            answer.process = connection.peer.map { ProcessCredentials(process: $0, user: $1, group: $2) }
            answer.running = connection.peer.flatMap { RunningDaemon(process: $0.process, user: $0.user) }
            (answer.storeError, answer.lastEventAt) = Self.readStore(connection, answer.status.store)
            self = .answered(answer)
        } catch {
            self = .failed(error)
        }
    }

    /// Reads an outage, a page of changes and the last event, which the daemon keeps only in its store.
    ///
    /// - Returns: the daemon's error if it cannot read one of them, and the time of the last event.
    private static func readStore(
        _ connection: DaemonConnection, _ store: Interface.Store
    ) -> (error: String?, lastEventAt: Int64?) {
        do throws(CommandError) {
            _ = try readReply(to: "Outages", Control.Outages.Parameters(limit: 1), connection)
            if store.changes > 0 { try readChanges(connection) }
            return (nil, try lastEventTime(connection, seq: store.lastSeq))
        } catch {
            // The status is sufficient; another version of the daemon may not support all of these calls.
            guard case .storeFailed(let reason) = error.controlError else { return (nil, nil) }
            return (reason, nil)
        }
    }

    /// Reads a page of the changes of an address whose record has changed.
    private static func readChanges(_ connection: DaemonConnection) throws(CommandError) {
        let list = Control.List.Parameters(changedSince: 0, limit: 1)
        guard let page = try readReply(to: "List", list, connection),
            let entry = try page.decoded(Control.List.Reply.self).entries.first
        else { return }
        _ = try readReply(to: "History", Control.History.Parameters(address: entry.address), connection)
    }

    /// Returns the reply to a call; nil if the daemon returned an error other than `StoreFailed`: another version may
    /// not support the call, and an address may have been removed in the meantime.
    private static func readReply(
        to method: String, _ parameters: some Encodable, _ connection: DaemonConnection
    ) throws(CommandError) -> ClientConversation.IncomingReply? {
        let reply = try connection.reply(to: method, parameters)
        guard let commandError = connection.commandError(of: reply) else { return reply }
        if case .storeFailed = commandError.controlError { throw commandError }
        return nil
    }

    /// Returns the time of the last kept event, which an earlier run of the daemon may have recorded; nil if there is
    /// none.
    private static func lastEventTime(
        _ connection: DaemonConnection, seq: Int64
    ) throws(CommandError) -> Int64? {
        guard seq > 0 else { return nil }
        let parameters = Control.Monitor.Parameters(after: seq - 1, kinds: nil, addresses: nil)
        // The event may have expired; then there is no reply.
        connection.limits = TimeLimits(silence: maxEventDelay)
        try connection.send(DaemonConnection.message("Monitor", parameters, more: true)[...])
        return try connection.nextReply().decoded(Control.Monitor.Reply.self).event.at
    }

    /// A healthy daemon sends a kept event a thousand times faster.
    private static let maxEventDelay = Duration.seconds(1)

    var answer: Answer? {
        if case .answered(let answer) = self { answer } else { nil }
    }

    /// Whether no daemon replied. A reply that cannot be parsed counts as a reply.
    var isDaemonMissing: Bool {
        switch self {
        case .answered: false
        case .unreachable: true
        case .failed(let commandError): [.noDaemon, .tryLater].contains(commandError.status)
        }
    }
}
