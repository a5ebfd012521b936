package import Dispatch

/// A value that is accessed only on one serial queue. The reference to it may be sent to any thread.
///
/// This is the only place where the module disables the compiler's check for data races. It is safe because `value`
/// aborts the process unless the current thread runs on the queue, which runs one block at a time, and because the
/// value is confined on that queue.
package struct OnQueue<Value>: Sendable {
    private nonisolated(unsafe) let confined: Value
    private let queue: DispatchQueue

    /// Must be called on the queue.
    package init(_ value: Value, _ queue: DispatchQueue) {
        dispatchPrecondition(condition: .onQueue(queue))
        confined = value
        self.queue = queue
    }

    package var value: Value {
        dispatchPrecondition(condition: .onQueue(queue))
        return confined
    }
}
