import Dispatch
import Foundation
import Synchronization

/// An executor that runs an actor's jobs on a dedicated thread.
///
/// A network namespace belongs to a thread, and the threads of Swift's pool and of Dispatch are shared.
final class ThreadExecutor: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        work.signal()
    }

    func start() {
        Thread { self.run() }.start()
    }

    /// Ends the thread after the jobs that are queued.
    func close() {
        state.withLock { $0.isClosed = true }
        work.signal()
    }

    private func run() {
        while true {
            work.wait()
            let (job, isOver) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isClosed && state.jobs.isEmpty)
            }
            job?.runSynchronously(on: asUnownedSerialExecutor())
            if isOver { return }
        }
    }
}
