import Glibc

/// Signals as something to wait for with poll(2): each is written into a pipe as it comes.
///
/// There is one at a time in a program; with it the signals do again what they did before.
final class SignalPipe {
    /// Readable once a signal has come.
    let descriptor: Int32
    private let found: [Int32: sigaction]

    /// - Parameter numbers: the signals that no longer do what they do by themselves. One that is ignored, as whoever
    ///   started the program may have wished (nohup(1)), stays ignored.
    init(_ numbers: [Int32]) throws(Complaint) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        // Not pipe2(2), which Swift's Glibc does not have.
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Complaint(status: .software, message: "no pipe: \(String(cString: strerror(errno)))")
        }
        descriptor = ends[0]
        signalPipeEnd = ends[1]
        var found: [Int32: sigaction] = [:]
        for number in numbers {
            var before = sigaction()
            sigaction(number, nil, &before)
            guard !before.ignores else { continue }
            found[number] = before
            var action = sigaction()
            action.__sigaction_handler.sa_handler = noteSignal
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
            Self.unblock(number)
        }
        self.found = found
    }

    deinit {
        for (number, before) in found {
            var before = before
            sigaction(number, &before, nil)
        }
        close(descriptor)
        close(signalPipeEnd)
    }

    /// The signals that have come since.
    func numbers() -> [Int32] {
        var chunk = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &chunk, chunk.count)
        return count > 0 ? chunk[..<count].map { Int32($0) } : []
    }

    /// Does now what a signal does by itself, such as to stop the program until it is continued, or to end it.
    static func obey(_ number: Int32) {
        var (action, before) = (sigaction(), sigaction())
        action.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(number, &action, &before)
        unblock(number)
        raise(number)
        sigaction(number, &before, nil)
    }
}

extension SignalPipe {
    /// A program starts with the signals blocked that were so in the thread that started it.
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

/// A handler gets nothing but the signal's number, so the pipe has to be known to all.
///
/// Written before the handlers are there, and not again until they are gone; the program has one thread.
private nonisolated(unsafe) var signalPipeEnd: Int32 = -1

private func noteSignal(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    // A full pipe has more signals than anybody needs to know of.
    _ = write(signalPipeEnd, &byte, 1)
    errno = before
}
