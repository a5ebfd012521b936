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
    private var deadline: BootTime?
    private var isWaiting = false

    /// Of shorter times nothing is made.
    static let least = Duration.seconds(10)
    private let patience: DispatchTimeInterval

    /// - Parameters:
    ///   - patience: how long nothing has to be done before it is worth it: until the connections to the provider have been
    ///     closed, too, which is the last thing that a call brings about.
    ///   - release: gives the memory back.
    init(
        queue: DispatchQueue, patience: DispatchTimeInterval = .seconds(20),
        release: @escaping () -> Void = clinux_release_memory
    ) {
        self.queue = queue
        self.patience = patience
        self.release = release
    }

    /// There is nothing to do before this; nil for ever.
    func armed(_ deadline: BootTime?) {
        self.deadline = deadline
        guard isIdle, !isWaiting else { return }
        isWaiting = true
        // It is touched on this queue only.
        nonisolated(unsafe) let idleness = self
        queue.asyncAfter(deadline: .now() + patience) {
            idleness.isWaiting = false
            if idleness.isIdle { idleness.release() }
        }
    }

    private var isIdle: Bool {
        deadline.map { $0 - SystemClock.now.boot >= Self.least } ?? true
    }
}
