package import Dispatch

extension DispatchQueue {
    /// Runs `work` on this serial queue, on which the caller must run, after all blocks that were submitted before.
    package func later(_ work: @escaping () -> Void) {
        let work = QueueConfined(work, onQueue: self)
        async { work.value() }
    }
}
