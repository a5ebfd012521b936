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
            answer.storeError = Self.storeError(connection)
            answer.lastEventAt = Self.lastEventTime(connection, seq: answer.status.store.lastSeq)
            self = .answered(answer)
        } catch {
            self = .failed(error)
        }
    }

    /// Returns the daemon's error when it reads its store. The call requests outages, which are kept only in the store.
    private static func storeError(_ connection: DaemonConnection) -> String? {
        do throws(CommandError) {
            let reply = try connection.reply(to: "Outages", Control.Outages.Parameters(limit: 1))
            guard let name = reply.error,
                case .storeFailed(let reason) = ControlError(name: name, parameters: reply.parameters)
            else { return nil }
            return reason
        } catch {
            // The status is sufficient; another version of the daemon may not support this call.
            return nil
        }
    }

    /// Returns the time of the last kept event. An earlier run of the daemon may have recorded it.
    private static func lastEventTime(_ connection: DaemonConnection, seq: Int64) -> Int64? {
        guard seq > 0 else { return nil }
        let parameters = Control.Monitor.Parameters(after: seq - 1, kinds: nil, addresses: nil)
        // The event may have expired; then there is no reply.
        connection.limits = TimeLimits(silence: maxEventDelay)
        do throws(CommandError) {
            try connection.send(DaemonConnection.message("Monitor", parameters, more: true)[...])
            return try connection.nextReply().decoded(Control.Monitor.Reply.self).event.at
        } catch {
            return nil
        }
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
