import CLinux
import Dispatch
import Glibc

/// SIGTERM, SIGINT and SIGHUP, on a queue (signal(7)); SIGPIPE is ignored.
///
/// Not Dispatch's own sources of signals: those listen some time after they were activated, and what comes before is lost.
final class Signals {
    /// Each signal that came is a byte there.
    private let descriptor: Int32
    private var source: (any DispatchSourceRead)?

    /// From now on the signals do not end the process any more; they wait until they are handled. To be made once.
    init() throws(SystemError) {
        signal(SIGPIPE, SIG_IGN)
        let numbers = [SIGTERM, SIGINT, SIGHUP]
        descriptor = clinux_signals(numbers, numbers.count)
        guard descriptor >= 0 else { throw SystemError("take the signals", errno: errno) }
    }

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
        // The descriptor stays open: a signal may still come.
        source?.cancel()
    }
}
