import Dispatch
import Glibc

/// SIGTERM, SIGINT and SIGHUP, on a queue (signal(7)); SIGPIPE is ignored.
///
/// They are blocked from the start of the process, and not ignored: Dispatch listens to a signal some time after its source was
/// activated, and an ignored one that comes before is lost, while a blocked one waits.
final class Signals {
    private static let numbers = [SIGTERM, SIGINT, SIGHUP]

    /// From now on they do not end the process any more; they wait until they are handled.
    ///
    /// - Precondition: called on the first thread, whose mask all others begin with.
    static func hold() {
        mask(SIG_BLOCK)
    }

    /// On this thread they do again what they do by themselves, also those that have waited.
    static func release() {
        mask(SIG_UNBLOCK)
    }

    private static func mask(_ how: Int32) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        // It fails for no other reason than a `how` that does not exist.
        pthread_sigmask(how, &set, nil)
    }

    private let sources: [Int32: any DispatchSourceSignal]

    /// - Precondition: `hold()` was called before there was a second thread.
    init(queue: DispatchQueue) {
        signal(SIGPIPE, SIG_IGN)
        sources = Dictionary(
            uniqueKeysWithValues: Self.numbers.map { number in
                (number, DispatchSource.makeSignalSource(signal: number, queue: queue))
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
