import Control
import Glibc
import Varlink

/// What came of asking the daemon how it is.
enum Consultation {
    case answered(Answer)
    case unreachable(errno: Int32)
    /// There was a connection, and no status came over it.
    case failed(Complaint)

    struct Answer {
        let status: Control.Status.Reply
        /// Who listens at the socket; nil where the kernel does not say.
        var process: DaemonProcess?
        /// What it was started with; nil where that cannot be seen.
        var running: RunningDaemon?
        /// Why the daemon cannot read its store; nil where it can, or was not asked.
        var refusalOfStore: String?
    }

    /// - Parameter patience: how long each answer is awaited; a daemon that is well needs a thousandth of it.
    init(at socket: String, patience: Duration = .seconds(5)) {
        let connection: Connection
        do throws(Connection.Unreachable) {
            connection = try Connection(path: socket, patience: patience)
        } catch {
            self = .unreachable(errno: error.errno)
            return
        }
        do throws(Complaint) {
            let reply = try connection.call("Status", Control.Status.Parameters())
            var answer = Answer(status: try reply.decoded(Control.Status.Reply.self))
            answer.process = connection.listener.map { DaemonProcess(process: $0, user: $1, group: $2) }
            answer.running = connection.listener.flatMap { RunningDaemon(process: $0.process, user: $0.user) }
            answer.refusalOfStore = Self.refusalOfStore(connection)
            self = .answered(answer)
        } catch {
            self = .failed(error)
        }
    }

    /// Has the daemon read in its store: the outages are there and nowhere else.
    private static func refusalOfStore(_ connection: Connection) -> String? {
        do throws(Complaint) {
            let reply = try connection.reply(to: "Outages", Control.Outages.Parameters(limit: 1))
            guard let name = reply.error,
                case .storeFailed(let reason) = ControlError(name: name, parameters: reply.parameters)
            else { return nil }
            return reason
        } catch {
            // It has answered for its status: that is what counts here. Another version may not know this question.
            return nil
        }
    }

    var answer: Answer? {
        if case .answered(let answer) = self { answer } else { nil }
    }

    /// Nobody answered; else there is somebody, if only one who answers nonsense.
    var isWithoutDaemon: Bool {
        switch self {
        case .answered: false
        case .unreachable: true
        case .failed(let complaint): [.noDaemon, .tryLater].contains(complaint.status)
        }
    }
}
