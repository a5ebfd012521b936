import Dispatch
import Glibc

/// SIGTERM, SIGINT and SIGHUP, on a queue (signal(7)); SIGPIPE is ignored.
final class Signals {
    private let sources: [Int32: any DispatchSourceSignal]

    /// From now on the signals do not end the process any more; they wait until they are handled.
    init(queue: DispatchQueue) {
        signal(SIGPIPE, SIG_IGN)
        sources = Dictionary(
            uniqueKeysWithValues: [SIGTERM, SIGINT, SIGHUP].map { number in
                signal(number, SIG_IGN)
                return (number, DispatchSource.makeSignalSource(signal: number, queue: queue))
            })
    }

    func handle(onTerminate: @escaping @Sendable () -> Void, onReload: @escaping @Sendable () -> Void) {
        for (number, source) in sources {
            source.setEventHandler(handler: number == SIGHUP ? onReload : onTerminate)
            source.activate()
        }
    }

    deinit {
        for source in sources.values { source.cancel() }
    }
}
