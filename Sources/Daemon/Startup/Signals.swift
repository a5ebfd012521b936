import CLinux
import Dispatch
import Glibc

/// Handles SIGTERM, SIGINT and SIGHUP on a queue (signal(7)), and ignores SIGPIPE.
///
/// Dispatch's signal sources are not used: they do not receive signals until some time after their activation, and lose
/// earlier signals.
final class Signals {
    /// The read end of a pipe with one byte for each signal.
    private let descriptor: Int32
    private var source: (any DispatchSourceRead)?

    /// Installs the signal handlers. From now on, signals do not terminate the process, but are pending until `handle`
    /// is called. A process may have only one instance.
    init() throws(SystemError) {
        signal(SIGPIPE, SIG_IGN)
        let numbers = [SIGTERM, SIGINT, SIGHUP]
        descriptor = clinux_signals(numbers, numbers.count)
        guard descriptor >= 0 else { throw SystemError("install the signal handlers", errno: errno) }
    }

    /// Calls `onReload` on the queue for each SIGHUP, and `onTerminate` for each other signal, including signals that
    /// arrived earlier.
    func handle(
        on queue: DispatchQueue, onTerminate: @escaping @Sendable () -> Void, onReload: @escaping @Sendable () -> Void
    ) {
        let descriptor = descriptor
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var number: UInt8 = 0
            while read(descriptor, &number, 1) == 1 {
                if Int32(number) == SIGHUP { onReload() } else { onTerminate() }
            }
        }
        source.activate()
        self.source = source
    }

    deinit {
        // The descriptor stays open, because a signal may still arrive.
        source?.cancel()
    }
}
