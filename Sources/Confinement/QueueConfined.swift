package import Dispatch

/// A value that is accessed only on one serial queue, such as the engine's. The reference to it may be sent to any
/// thread.
///
///     let server = QueueConfined(self, onQueue: queue)
///     startReading { page in queue.async { server.value.send(page) } }
///
/// This is the only place where the daemon and the PostgreSQL client disable the compiler's check for data races. It is
/// safe because nothing accesses the value concurrently:
/// - Before the value is confined, it belongs to the caller of `init`, which either gives it up or is on the queue.
/// - Afterwards, `value` aborts the process unless the current thread runs on the queue.
/// - A serial queue runs one block at a time, and each block sees the memory as the previous one left it.
package struct QueueConfined<Value>: Sendable {
    @usableFromInline nonisolated(unsafe) let confined: Value
    @usableFromInline let queue: DispatchQueue

    /// Gives a serial queue a value to which nothing else refers.
    package init(_ value: sending Value, givenTo queue: DispatchQueue) {
        confined = value
        self.queue = queue
    }

    /// Creates a reference to a value of the serial queue on which the caller runs.
    package init(_ value: Value, onQueue queue: DispatchQueue) {
        dispatchPrecondition(condition: .onQueue(queue))
        confined = value
        self.queue = queue
    }

    /// The value; must be read on the queue.
    @inlinable package var value: Value {
        dispatchPrecondition(condition: .onQueue(queue))
        return confined
    }
}
