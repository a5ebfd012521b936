import Dispatch
import Testing

@testable import Daemon

/// Values that only one queue accesses.
struct QueueConfinedTests {
    private final class Count {
        var count = 0
    }

    @Test func `work on the queue reads and changes the value`() {
        let queue = DispatchQueue(label: "test.confined")
        let confined = QueueConfined(Count(), givenTo: queue)
        DispatchQueue.concurrentPerform(iterations: 100) { _ in queue.async { confined.value.count += 1 } }
        #expect(queue.sync { confined.value.count } == 100)
    }

    @Test func `work that is postponed runs on the queue, in order`() {
        let queue = DispatchQueue(label: "test.confined")
        let confined = QueueConfined(Count(), givenTo: queue)
        let done = Tally()
        queue.sync {
            queue.later {
                confined.value.count += 1
                queue.later {
                    confined.value.count *= 10
                    done.note()
                }
            }
            queue.later { confined.value.count += 1 }
        }
        #expect(done.wait(for: 1))
        #expect(queue.sync { confined.value.count } == 20)
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

    @Test func `a read on another queue ends the process`() async {
        await #expect(processExitsWith: .failure) {
            let confined = QueueConfined(Count(), givenTo: DispatchQueue(label: "test.confined"))
            DispatchQueue(label: "test.other").sync { confined.value.count += 1 }
        }
    }

    @Test func `a reference that is created on another queue ends the process`() async {
        await #expect(processExitsWith: .failure) {
            _ = QueueConfined(Count(), onQueue: DispatchQueue(label: "test.confined"))
        }
    }
}
