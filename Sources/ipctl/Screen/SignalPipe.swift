import Glibc
import Synchronization

/// Makes signals available to poll(2): the handler writes each signal to a pipe.
///
/// A program has at most one signal pipe at a time. When the pipe is released, the previous actions of the signals are
/// restored.
final class SignalPipe {
    /// The read end, which is readable when a signal has arrived.
    let descriptor: Int32
    private let previousActions: [Int32: sigaction]

    /// - Parameters:
    ///   - numbers: the signals whose default action is replaced. A signal that is ignored, for example because of
    ///     nohup(1), stays ignored, except SIGCHLD.
    ///   - restartsCalls: whether a waiting system call continues after a signal (sigaction(2), SA_RESTART).
    init(_ numbers: [Int32], restartsCalls: Bool = true) throws(CommandError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        // Swift's Glibc module does not have pipe2(2).
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw CommandError(status: .software, message: "cannot create a pipe: \(String(cString: strerror(errno)))")
        }
        descriptor = ends[0]
        signalPipeEnd.store(ends[1], ordering: .relaxed)
        var previousActions: [Int32: sigaction] = [:]
        for number in numbers {
            var previous = sigaction()
            sigaction(number, nil, &previous)
            // If SIGCHLD is ignored, the kernel reaps children itself, and their status is lost.
            guard number == SIGCHLD || !previous.ignores else { continue }
            previousActions[number] = previous
            var action = sigaction()
            action.__sigaction_handler.sa_handler = noteSignal
            action.sa_flags = restartsCalls ? SA_RESTART : 0
            sigaction(number, &action, nil)
            Self.unblock(number)
        }
        self.previousActions = previousActions
    }

    deinit {
        for (number, previous) in previousActions {
            var previous = previous
            sigaction(number, &previous, nil)
        }
        close(descriptor)
        close(signalPipeEnd.load(ordering: .relaxed))
    }

    /// Returns the signals that have arrived since the last call.
    func receivedSignals() -> [Int32] {
        var chunk = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &chunk, chunk.count)
        return count > 0 ? chunk[..<count].map { Int32($0) } : []
    }

    /// - Throws: if a signal other than SIGCHLD has arrived since the last call.
    func check() throws(CommandError) {
        guard let signal = receivedSignals().first(where: { $0 != SIGCHLD }) else { return }
        throw CommandError(status: .tryLater, message: "interrupted", signal: signal)
    }

    /// Performs the default action of a signal, such as stopping or ending the program.
    static func performDefaultAction(_ number: Int32) {
        var (action, previous) = (sigaction(), sigaction())
        action.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(number, &action, &previous)
        unblock(number)
        raise(number)
        sigaction(number, &previous, nil)
    }

    /// Unblocks a signal. A program inherits the blocked signals of the thread that started it.
    private static func unblock(_ number: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        sigprocmask(SIG_UNBLOCK, &signals, nil)
    }
}

extension sigaction {
    fileprivate var ignores: Bool {
        unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// The write end of the pipe, global because a signal handler receives only the signal's number.
private let signalPipeEnd = Atomic<Int32>(-1)

private func noteSignal(_ number: Int32) {
    let previous = errno
    var byte = UInt8(truncatingIfNeeded: number)
    // If the pipe is full, enough signals are pending.
    _ = write(signalPipeEnd.load(ordering: .relaxed), &byte, 1)
    errno = previous
}
