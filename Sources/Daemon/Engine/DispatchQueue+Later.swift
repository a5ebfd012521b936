import Confinement
import Dispatch
import RecordKeeping

extension DispatchQueue {
    /// Runs `work` on this serial queue, on which the caller must run, after a delay. If the delay is not positive, it
    /// runs after all blocks that were submitted before.
    func later(after delay: Duration, _ work: @escaping () -> Void) {
        guard delay > .zero else { return later(work) }
        let work = QueueConfined(work, onQueue: self)
        asyncAfter(deadline: .now() + .nanoseconds(Int(delay.wholeNanoseconds))) { work.value() }
    }
}
