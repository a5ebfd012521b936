import Foundation

/// Counts occurrences on any thread, and waits for them.
final class Tally: @unchecked Sendable {
    // All of the state is accessed only while `condition` is locked.
    private let condition = NSCondition()
    private var moments: [Date] = []

    func note() {
        condition.lock()
        moments.append(Date())
        condition.broadcast()
        condition.unlock()
    }

    var count: Int {
        condition.lock()
        defer { condition.unlock() }
        return moments.count
    }

    /// - Returns: false if the count was not reached in time.
    func wait(for count: Int, within seconds: Double = 60) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while moments.count < count {
            guard condition.wait(until: deadline) else { return false }
        }
        return true
    }
}
