import Confinement
import Dispatch
import RecordKeeping

/// Pings the service manager's watchdog (WatchdogSec=) while the queues of the engine and the store make progress.
///
/// Each round begins on the engine's queue, passes through the store's queue, and ends with the ping on the engine's
/// queue. If either queue hangs, there is no ping, and the service manager restarts the daemon. A separate thread with
/// a timer would continue to ping even if a queue hung.
///
/// Belongs to the queue passed to `init`.
final class Watchdog {
    private let timer: any DispatchSourceTimer
    private let queue: DispatchQueue
    private let store: (@escaping @Sendable () -> Void) -> Void
    private let ping: () -> Void
    private var isRoundInProgress = false

    /// - Parameters:
    ///   - patience: the maximum time between pings. A round begins each time half of this time has passed, as
    ///     sd_watchdog_enabled(3) advises.
    ///   - queue: the engine's queue.
    ///   - store: calls its argument, on any thread, when the store has completed earlier work or has made progress
    ///     with it.
    ///   - ping: pings the service manager.
    init(
        patience: Duration, queue: DispatchQueue, store: @escaping (@escaping @Sendable () -> Void) -> Void,
        ping: @escaping () -> Void
    ) {
        self.queue = queue
        self.store = store
        self.ping = ping
        timer = DispatchSource.makeTimerSource(queue: queue)
        let interval = Int(patience.wholeMilliseconds / 2)
        // A leeway of a tenth, so that the kernel can combine this wake-up with others.
        timer.schedule(
            deadline: .now(), repeating: .milliseconds(interval), leeway: .milliseconds(interval / 10))
        timer.setEventHandler { [weak self] in self?.beginRound() }
    }

    /// Starts the rounds; the first one begins at once.
    func begin() {
        timer.activate()
    }

    func cancel() {
        // A source that was never activated must not be released (dispatch_release(3)).
        timer.activate()
        timer.cancel()
    }

    private func beginRound() {
        guard !isRoundInProgress else { return }
        isRoundInProgress = true
        let watchdog = QueueConfined(self, onQueue: queue)
        store { [queue] in queue.async { watchdog.value.endRound() } }
    }

    private func endRound() {
        isRoundInProgress = false
        if !timer.isCancelled { ping() }
    }
}
