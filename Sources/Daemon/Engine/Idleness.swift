import CLinux
import Dispatch
import RecordKeeping

/// Gives memory back once there is nothing to do for a while: what the start and the last calls took, and the code for them,
/// most of which nobody needs until there is something to do again.
///
/// It costs some milliseconds, and one wake-up after the last thing that happened.
///
/// Belongs to the queue that it is made with.
final class Idleness {
    private let queue: DispatchQueue
    private let release: () -> Void
    private let wasBusy: () -> Bool
    private let patience: Duration
    private var deadline: BootTime?
    /// When something happened last.
    private var happenedAt = BootTime(nanoseconds: 0)
    private var isWaiting = false

    /// Of shorter times nothing is made.
    static let least = Duration.seconds(10)
    /// What is given back is not to be needed again at once.
    private static let leastAfter = Duration.seconds(2)

    /// - Parameters:
    ///   - patience: how long nothing has to happen before it is worth it: until the connections to the provider have been
    ///     closed, too, which is the last thing that a call brings about.
    ///   - wasBusy: whether something was done since it was asked last that was not told here.
    ///   - release: gives the memory back.
    init(
        queue: DispatchQueue, patience: Duration = .seconds(20), wasBusy: @escaping () -> Bool,
        release: @escaping () -> Void = clinux_release_memory
    ) {
        self.queue = queue
        self.patience = patience
        self.wasBusy = wasBusy
        self.release = release
    }

    /// There is nothing to do before this; nil for ever.
    func armed(_ deadline: BootTime?) {
        self.deadline = deadline
    }

    /// Something happened, and what follows from it has been done.
    func happened() {
        happenedAt = SystemClock.now.boot
        waitWhileIdle(patience)
    }

    private func isIdle(for least: Duration) -> Bool {
        guard let deadline else { return true }
        let now = SystemClock.now.boot
        // One that has passed has been dealt with, or is about to be, and then something happens.
        return deadline < now || deadline - now >= least
    }

    private func waitWhileIdle(_ time: Duration) {
        guard isIdle(for: Self.least), !isWaiting else { return }
        isWaiting = true
        // It is touched on this queue only.
        nonisolated(unsafe) let idleness = self
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(time / .nanoseconds(1)))) {
            idleness.isWaiting = false
            idleness.look()
        }
    }

    private func look() {
        let rest = patience - (SystemClock.now.boot - happenedAt)
        // The two clocks may be at odds by some milliseconds.
        if rest > .milliseconds(10) {
            waitWhileIdle(rest)
        } else if wasBusy() {
            happened()
        } else if isIdle(for: Self.leastAfter) {
            release()
        }
    }
}
