import Control
import Glibc

/// Whether anybody answers, and whether it is of this version.
struct DaemonCheck: Check {
    static let name = "daemon"

    let patient: Patient
    let consultation: Consultation
    /// That of this program.
    let version: String
    let now: Int64

    func findings() -> [Finding] {
        switch consultation {
        case .unreachable(let error): [unreachable(error)]
        case .failed(let complaint): [bad(complaint.message, remedy: "\(patient.restart); \(patient.log)")]
        case .answered(let answer): [answered(answer.status)]
        }
    }

    private func unreachable(_ error: Int32) -> Finding {
        switch error {
        case ENOENT, ENOTDIR: bad("no daemon is to be found", remedy: patient.start)
        case ECONNREFUSED:
            bad(
                "nobody listens at \(patient.socket): the daemon that made it ended without taking it away",
                remedy: "\(patient.restart); \(patient.log)")
        case EACCES:
            bad(
                "you may not connect to \(patient.socket)",
                remedy: "See above, of the socket: its mode should be 0666, and its folders' 0755")
        case EAGAIN:
            bad(
                "the daemon takes no more connections: it is stuck, or somebody keeps it very busy",
                remedy: "\(patient.restart); \(patient.log)")
        default:
            bad("no daemon answers: \(meaning(of: error))", remedy: patient.log)
        }
    }

    private func answered(_ status: Control.Status.Reply) -> Finding {
        guard status.version == version else {
            return warning(
                "iprecordd \(status.version) answers, and this is ipctl \(version): one of them is old",
                remedy: "Where an upgrade came later than its start: \(patient.restart)")
        }
        // A start in the future is the clock's affair.
        let age = max(0, now - status.startedAt)
        return ok("iprecordd \(status.version) answers, up \(Times.span(milliseconds: age))")
    }
}
