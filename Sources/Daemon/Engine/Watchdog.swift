import Dispatch
import RecordKeeping

/// Tells the service manager that the daemon is well (WatchdogSec=), from where the work is done.
///
/// A round begins on the engine's queue, goes through the store's, and ends with the ping on the engine's again. Where either
/// hangs there is no ping, and the manager ends the process and starts it anew. A thread with a timer of its own would go on
/// saying that all is well.
///
/// Belongs to the queue that it is made with.
final class Watchdog {
    private let timer: any DispatchSourceTimer
    private let queue: DispatchQueue
    private let store: (@escaping @Sendable () -> Void) -> Void
    private let ping: () -> Void
    private var isUnderWay = false

    /// - Parameters:
    ///   - patience: within which time the manager wants each ping. Rounds begin in half of it, as sd_watchdog_enabled(3)
    ///     advises.
    ///   - queue: the engine's.
    ///   - store: has the store call back once it has done what it was asked to before, or makes progress with it.
    ///   - ping: tells the manager.
    init(
        patience: Duration, queue: DispatchQueue, store: @escaping (@escaping @Sendable () -> Void) -> Void,
        ping: @escaping () -> Void
    ) {
        self.queue = queue
        self.store = store
        self.ping = ping
        timer = DispatchSource.makeTimerSource(queue: queue)
        let interval = Int(patience.wholeMilliseconds / 2)
        // A tenth of leeway, so that the kernel may wake the machine for several things at once.
        timer.schedule(
            deadline: .now(), repeating: .milliseconds(interval), leeway: .milliseconds(interval / 10))
        timer.setEventHandler { [weak self] in self?.beginRound() }
    }

    func begin() {
        timer.activate()
    }

    func cancel() {
        // A source that was never activated may not be released (dispatch_release(3)).
        timer.activate()
        timer.cancel()
    }

    private func beginRound() {
        guard !isUnderWay else { return }
        isUnderWay = true
        // It is touched on its own queue only: the store's hands it back there.
        nonisolated(unsafe) let watchdog = self
        store { watchdog.queue.async { watchdog.endRound() } }
    }

    private func endRound() {
        isUnderWay = false
        if !timer.isCancelled { ping() }
    }
}
