import Control
import Glibc

/// Checks that the daemon replies, and that it has the version of this program.
struct DaemonCheck: Check {
    static let name = "daemon"

    let target: DoctorTarget
    let probe: DaemonProbe
    /// The version of this program.
    let version: String
    let now: Int64
    /// The daemon's last error in the journal, if the daemon does not answer; nil if none is known.
    var lastError: String?
    /// The last exit status of the service, if the daemon does not answer; nil if it is unknown.
    var exitStatus: Int32?
    /// The mode that the socket unit sets; nil if it is unknown.
    var unitMode: mode_t?

    func findings() -> [Finding] {
        switch probe {
        case .unreachable(let error): unreachable(error)
        case .failed(let commandError): bad(commandError.message + cause, remedy: restart)
        case .answered(let answer): answered(answer.status)
        }
    }

    /// The end of a message, with the last error.
    private var cause: String { lastError.map { "; its last error in the journal: \($0)" } ?? "" }

    /// The remedy that restarts the daemon, which cannot start while the configuration has errors.
    private var restart: String {
        if exitStatus == Self.damagedDatabase { return recover }
        return target.cannotStart ? target.start : "\(target.restart); \(target.log)"
    }

    private var start: String { exitStatus == Self.damagedDatabase ? recover : target.start }

    /// The remedy for a damaged database, which the daemon does not open.
    private var recover: String {
        let stop = DoctorTarget.asRoot("systemctl stop iprecordd.socket iprecordd.service")
        let option = target.configurationFile.map { " --config \($0.shellWord)" } ?? ""
        return "The database is damaged. Recover it: \(stop); \(DoctorTarget.asRoot("iprecordd\(option) --recover")); "
            + DoctorTarget.asRoot("systemctl start iprecordd")
    }

    /// The exit status of a daemon whose database is damaged.
    private static let damagedDatabase: Int32 = 65

    private func unreachable(_ error: Int32) -> [Finding] {
        switch error {
        case ENOENT, ENOTDIR: bad("no daemon is running" + cause, remedy: start)
        case ECONNREFUSED:
            bad(
                "no process is listening on \(target.socket): the daemon exited without removing the socket" + cause,
                remedy: restart)
        case EACCES:
            bad("you do not have permission to connect to \(target.socket)", remedy: accessRemedy)
        case EAGAIN:
            bad(
                "the daemon does not accept connections: it hangs or is overloaded",
                remedy: "\(target.restart); \(target.log)")
        default:
            bad("cannot connect to the daemon: \(meaning(of: error))", remedy: target.log)
        }
    }

    /// The remedy for a user without permission to connect. A mode that excludes users is an error unless the socket
    /// unit sets it.
    private var accessRemedy: String {
        if case .found(let socket) = FileStatus(target.socket), socket.st_mode & 0o777 == unitMode {
            let permissions = SocketPermissions(socket)
            if permissions.excludeOthers { return permissions.advice }
        }
        return "See the socket check above: the socket needs mode 0666, and its directories mode 0755"
    }

    private func answered(_ status: Control.Status.Reply) -> [Finding] {
        guard status.version == version else {
            return warning(
                "iprecordd \(status.version) is running, but this is ipctl \(version)",
                remedy: "If iprecordd was upgraded after it started: \(target.restart)")
        }
        // The clock check reports a start time in the future.
        let age = max(0, now.clampedSubtracting(status.startedAt))
        return ok("iprecordd \(status.version) is running, up \(Times.span(milliseconds: age))")
    }
}
