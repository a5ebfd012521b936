import Dispatch
import RecordKeeping

/// A value that is accessed only on one serial queue, such as the engine's. The reference to it may be sent to any
/// thread.
///
///     let server = QueueConfined(self, onQueue: queue)
///     startReading { page in queue.async { server.value.send(page) } }
///
/// This is the only place where the daemon disables the compiler's check for data races. It is safe because nothing
/// accesses the value concurrently:
/// - Before the value is confined, it belongs to the caller of `init`, which either gives it up or is on the queue.
/// - Afterwards, `value` aborts the process unless the current thread runs on the queue.
/// - A serial queue runs one block at a time, and each block sees the memory as the previous one left it.
struct QueueConfined<Value>: Sendable {
    private nonisolated(unsafe) let confined: Value
    private let queue: DispatchQueue

    /// Gives a serial queue a value to which nothing else refers.
    init(_ value: sending Value, givenTo queue: DispatchQueue) {
        confined = value
        self.queue = queue
    }

    /// Creates a reference to a value of the serial queue on which the caller runs.
    init(_ value: Value, onQueue queue: DispatchQueue) {
        dispatchPrecondition(condition: .onQueue(queue))
        confined = value
        self.queue = queue
    }

    /// The value; must be read on the queue.
    var value: Value {
        dispatchPrecondition(condition: .onQueue(queue))
        return confined
    }
}

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
