import Files
import Glibc

/// The running commands of `--exec`, with their time limits.
struct HookRuns {
    /// A run that has ended.
    struct Ended {
        let run: HookQueue.Run
        /// The reason why it failed, for messages; nil if it succeeded.
        let failure: String?
    }

    private struct Active {
        let run: HookQueue.Run
        let process: HookProcess
        var limit: HookLimit
    }

    private let command: [String]
    private let timeout: TimeSpan
    private let socket: String
    /// The environment of this program, as bytes of `NAME=value`.
    private let inherited: [[UInt8]]
    private var active: [Active] = []
    /// Whether the limits were lowered, because this program ends.
    private var isEnding = false

    /// - Parameters:
    ///   - command: the program and its arguments.
    ///   - timeout: the time limit of each run.
    ///   - socket: the path of the daemon's socket, for programs that query the daemon.
    init(_ command: [String], timeout: TimeSpan, socket: String) throws(CommandError) {
        (self.command, self.timeout, self.socket) = (command, timeout, socket)
        do throws(WholeFile.Unreadable) {
            // Swift does not have the global variable environ(7). This program changes only TZ in its own environment.
            inherited = try WholeFile.bytes(at: "/proc/self/environ").split(separator: 0).map { Array($0) }
        } catch {
            throw CommandError(status: .software, message: "cannot read /proc/self/environ: \(error)")
        }
    }

    var isEmpty: Bool { active.isEmpty }

    /// The time of the next signal; nil if none is planned.
    var nextSignal: Int64? { active.compactMap(\.limit.nextSignal).min() }

    /// The descriptors to wait for until they are writable.
    var pendingInputs: [Int32] { active.compactMap(\.process.pendingInput) }

    /// Starts a command.
    ///
    /// - Returns: the end of the run, if the command could not be started.
    mutating func start(_ run: HookQueue.Run, at now: Int64) -> Ended? {
        let environment = HookVariables.ofRun(run.event, attempt: run.attempt, socket: socket, inherited: inherited)
        do throws(HookProcess.NotStarted) {
            let process = try HookProcess(command, environment: environment, input: run.event.input)
            active.append(Active(run: run, process: process, limit: HookLimit(until: now + timeout.milliseconds)))
            return nil
        } catch {
            return Ended(
                run: run, failure: "the command could not be started: \(String(cString: strerror(error.errno)))")
        }
    }

    /// Writes input to the commands that have room for it.
    func writeInputs() {
        for item in active { item.process.writeInput() }
    }

    /// Sends the signals that are due.
    mutating func signal(at now: Int64) {
        for index in active.indices {
            if let number = active[index].limit.signal(at: now) { active[index].process.signal(number) }
        }
    }

    /// Lowers the limit of all runs, because this program ends.
    mutating func lowerLimits(to time: Int64) {
        isEnding = true
        for index in active.indices { active[index].limit.lower(to: time) }
    }

    /// Removes the runs that have ended.
    mutating func reap() -> [Ended] {
        let overdue = "the command was stopped" + (isEnding ? "" : ": it ran for more than \(timeout.text)")
        var ended: [Ended] = []
        active.removeAll { item in
            let isExceeded = item.limit.isExceeded
            guard let ending = item.process.reap(killsGroup: isExceeded) else { return false }
            ended.append(Ended(run: item.run, failure: isExceeded ? overdue : Self.failure(ending)))
            return true
        }
        return ended
    }

    private static func failure(_ ending: HookProcess.Ending) -> String? {
        switch ending {
        case .status(0): nil
        case .status(let status): "the command exited with status \(status)"
        case .signal(let number): "the command was killed by signal \(number)"
        }
    }
}
