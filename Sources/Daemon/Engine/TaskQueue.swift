import Dispatch

/// Runs tasks on a serial Dispatch queue.
///
/// Swift's default executor uses Dispatch's concurrent queues. After their first use, Dispatch on Linux checks every
/// second whether they need more threads (swift-corelibs-libdispatch, src/event/workqueue.c), which costs a wake-up per
/// second.
final class TaskQueue: TaskExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
