import Dispatch

/// Runs tasks on a serial Dispatch queue.
///
/// Swift's own executor runs them on Dispatch's concurrent queues, and from their first use on Dispatch on Linux looks once a
/// second whether those need more threads (swift-corelibs-libdispatch, src/event/workqueue.c): a wake-up a second, for ever.
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
