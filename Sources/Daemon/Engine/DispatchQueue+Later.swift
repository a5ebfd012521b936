import Confinement
import Dispatch
import RecordKeeping

extension DispatchQueue {
    /// Runs `work` on this serial queue, on which the caller must run, after a delay. Without a delay, it runs after
    /// all blocks that were submitted before.
    func later(after delay: Duration = .zero, _ work: @escaping () -> Void) {
        let work = QueueConfined(work, onQueue: self)
        if delay > .zero {
            asyncAfter(deadline: .now() + .nanoseconds(Int(delay.wholeNanoseconds))) { work.value() }
        } else {
            async { work.value() }
        }
    }
}
