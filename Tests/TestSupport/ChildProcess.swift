import CTestSupport
package import Foundation

/// A program that a test has started. It is killed with the last reference to this object.
///
/// Unlike a program that Foundation's `Process` starts, it inherits only its standard streams. It has a process group
/// of its own, and the default action for every signal.
package final class ChildProcess: Sendable {
    package enum Ending: Hashable, Sendable {
        case exit(Int32)
        case signal(Int32)

        /// The exit status, or the negative number of the signal.
        package var status: Int32 {
            switch self {
            case .exit(let status): status
            case .signal(let number): -number
            }
        }
    }

    package let pid: Int32
    private let state = State()

    /// - Parameters:
    ///   - command: the program, and its arguments. A name without a slash is searched for in PATH.
    ///   - environment: the complete environment, that of the tests by default.
    ///   - input: the standard input; nil for /dev/null. The same holds for the other streams.
    package init(
        _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
        input: FileHandle? = nil, output: FileHandle? = nil, errors: FileHandle? = nil
    ) throws {
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var number: Int32 = 0
        let error = ctest_spawn(
            &number, arguments, variables, input?.fileDescriptor ?? -1, output?.fileDescriptor ?? -1,
            errors?.fileDescriptor ?? -1)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
        pid = number
        // The thread does not retain this object.
        Thread.detachNewThread { [state, pid] in state.awaitEnd(of: pid) }
    }

    deinit { signal(SIGKILL) }

    /// The end of the program; nil while it runs.
    package var ending: Ending? { state.condition.withLock { state.ending } }

    package var isRunning: Bool { ending == nil }

    /// Sends a signal, unless the program has ended.
    package func signal(_ number: Int32) {
        // The lock keeps the process from being reaped, so that its identifier cannot belong to another one.
        state.condition.withLock { if state.ending == nil { kill(pid, number) } }
    }

    /// Waits for the end of the program.
    @discardableResult
    package func awaitEnd() -> Ending {
        state.condition.withLock {
            while true {
                if let ending = state.ending { return ending }
                state.condition.wait()
            }
        }
    }

    /// Waits for the end of the program. Returns nil if it still runs after the deadline.
    package func awaitEnd(within seconds: Double) -> Ending? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        return state.condition.withLock {
            while state.ending == nil, state.condition.wait(until: deadline) {}
            return state.ending
        }
    }

    /// The end of a process, shared with the thread that waits for it.
    private final class State: @unchecked Sendable {
        // Accessed only while `condition` is locked.
        var ending: Ending?
        let condition = NSCondition()

        func awaitEnd(of pid: Int32) {
            // The first call leaves the process as a zombie, because another thread may be about to send it a signal.
            var info = siginfo_t()
            while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            condition.withLock {
                var status: Int32 = 0
                while waitpid(pid, &status, 0) < 0, errno == EINTR {}
                // WIFEXITED and the like of wait(2) are macros, which Swift does not import.
                let number = status & 0x7F
                ending = number == 0 ? .exit(status >> 8 & 0xFF) : .signal(number)
                condition.broadcast()
            }
        }
    }
}
