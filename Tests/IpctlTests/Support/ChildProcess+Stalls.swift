import Foundation
import TestSupport

extension ChildProcess {
    /// Waits until the program waits for room in a pipe or until it has exited.
    func awaitStall() {
        let deadline = Date(timeIntervalSinceNow: 60)
        var before: String?
        while Date() < deadline, isRunning {
            // Its processor time no longer grows: fields 14 and 15 of proc_pid_stat(5).
            let fields = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.split(separator: " ")
            let state = fields.map { $0[2...2].joined() + $0[13...14].joined(separator: ",") }
            if let state, state == before, state.hasPrefix("S") { return }
            before = state
            // There is no event to wait for: a sleeping process reports nothing.
            usleep(200_000)
        }
    }
}
