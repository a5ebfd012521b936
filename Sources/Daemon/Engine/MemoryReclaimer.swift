import CLinux
import Dispatch
import RecordKeeping

/// Returns freed memory to the kernel after a quiet period: memory that startup and the last calls used.
///
/// This takes a few milliseconds, and costs one wake-up after the last event.
///
/// Belongs to the queue passed to `init`.
final class MemoryReclaimer {
    private let queue: DispatchQueue
    private let release: () -> Void
    private let wasBusy: () -> Bool
    private let patience: Duration
    /// The keeper's next deadline; nil if there is none.
    private var deadline: BootTime?
    /// The time of the last event.
    private var happenedAt = BootTime(nanoseconds: 0)
    private var isWaiting = false

    /// Minimum time to the next deadline at the beginning of the quiet period; if less time is left, no quiet period
    /// begins.
    static let minimum = Duration.seconds(10)
    /// Minimum time to the next deadline at the end of the quiet period, so that the memory is not needed again at
    /// once.
    private static let minAfter = Duration.seconds(2)

    /// - Parameters:
    ///   - patience: the length of the quiet period. The default is longer than the time for which idle connections to
    ///     the provider stay open, so that their memory is also returned.
    ///   - wasBusy: returns whether there has been work since its last call for which `happened` was not called.
    ///   - release: returns the memory to the kernel.
    init(
        queue: DispatchQueue, patience: Duration = .seconds(20), wasBusy: @escaping () -> Bool,
        release: @escaping () -> Void = clinux_release_memory
    ) {
        self.queue = queue
        self.patience = patience
        self.wasBusy = wasBusy
        self.release = release
    }

    /// Sets the keeper's next deadline; nil if there is none.
    func armed(_ deadline: BootTime?) {
        self.deadline = deadline
    }

    /// Restarts the quiet period. Called after the effects of an event have been performed.
    func happened() {
        happenedAt = SystemClock.now.boot
        waitWhileIdle(patience)
    }

    private func isIdle(for minimum: Duration) -> Bool {
        guard let deadline else { return true }
        let now = SystemClock.now.boot
        // A deadline in the past has been handled or is about to be; handling it calls `happened`.
        return deadline < now || deadline - now >= minimum
    }

    private func waitWhileIdle(_ time: Duration) {
        guard isIdle(for: Self.minimum), !isWaiting else { return }
        isWaiting = true
        queue.later(after: time) { [self] in
            isWaiting = false
            look()
        }
    }

    private func look() {
        let rest = patience - (SystemClock.now.boot - happenedAt)
        // The clock of the queue and CLOCK_BOOTTIME may differ by a few milliseconds.
        if rest > .milliseconds(10) {
            waitWhileIdle(rest)
        } else if wasBusy() {
            happened()
        } else if isIdle(for: Self.minAfter) {
            release()
        }
    }
}
