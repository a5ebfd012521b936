package import Dispatch

/// An actor's executor on a serial Dispatch queue, so that handlers of timers and read sources of that queue run on the
/// actor.
///
/// Dispatch on Linux lacks `DispatchSerialQueue`, which serves as such an executor on Apple's platforms (SE-0392).
package final class QueueExecutor: SerialExecutor {
    package let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Aborts the process if the caller is not on the queue.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
