import Confinement
import Dispatch
import Testing

@testable import Daemon

/// Work that is delayed on a queue.
struct LaterTests {
    private final class Count {
        var count = 0
    }

    @Test func `work with a delay runs on the queue, no earlier than that`() {
        let queue = DispatchQueue(label: "test.confined")
        let confined = QueueConfined(Count(), givenTo: queue)
        let done = Tally()
        let start = ContinuousClock.now
        queue.sync {
            queue.later(after: .milliseconds(20)) {
                confined.value.count += 1
                done.note()
            }
        }
        #expect(done.wait(for: 1))
        #expect(ContinuousClock.now - start >= .milliseconds(20))
        #expect(queue.sync { confined.value.count } == 1)
    }
}
