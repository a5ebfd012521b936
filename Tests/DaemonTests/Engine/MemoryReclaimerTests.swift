import Dispatch
import RecordKeeping
import Synchronization
import Testing

@testable import Daemon

@Suite struct MemoryReclaimerTests {
    private let queue = DispatchQueue(label: "memory-reclaimer")

    /// Returns how often memory is released in the 100 ms after arming these deadlines, relative to now, in sequence.
    ///
    /// - Parameter busy: how often `wasBusy` returns true.
    private func releases(after deadlines: [Duration?], busy: Int = 0) -> Int {
        let count = Mutex(0)
        let busy = Mutex(busy)
        nonisolated(unsafe) let memoryReclaimer = MemoryReclaimer(
            queue: queue, patience: .milliseconds(20),
            wasBusy: {
                busy.withLock { left in
                    defer { left -= 1 }
                    return left > 0
                }
            },
            release: { count.withLock { $0 += 1 } })
        let over = Tally()
        queue.sync {
            for deadline in deadlines {
                memoryReclaimer.armed(deadline.map { SystemClock.now.boot + $0 })
                memoryReclaimer.happened()
            }
        }
        // The queue's timers fire in the order of their times.
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { over.note() }
        #expect(over.wait(for: 1))
        return count.withLock { $0 }
    }

    @Test func `memory is released once if nothing is due for a while`() {
        #expect(releases(after: [nil]) == 1)
        #expect(releases(after: [.seconds(60), nil, .seconds(300)]) == 1)
        #expect(releases(after: [.seconds(-1)]) == 1, "a past deadline does not count")
    }

    @Test func `memory is not released if something is due soon`() {
        #expect(releases(after: [.seconds(1)]) == 0)
        #expect(releases(after: [nil, .seconds(1)]) == 0)
    }

    @Test func `memory is not released while the fast path is busy`() {
        #expect(releases(after: [nil], busy: 1_000) == 0)
        #expect(releases(after: [nil], busy: 1) == 1, "the work ended soon")
    }
}
