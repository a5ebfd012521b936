import Confinement
import Dispatch
import Testing

/// Work that is postponed on a queue.
struct LaterTests {
    private final class Count {
        var count = 0
    }

    @Test func `work that is postponed runs on the queue, in order`() {
        let queue = DispatchQueue(label: "test.confined")
        let confined = QueueConfined(Count(), givenTo: queue)
        let done = DispatchSemaphore(value: 0)
        queue.sync {
            queue.later {
                confined.value.count += 1
                queue.later {
                    confined.value.count *= 10
                    done.signal()
                }
            }
            queue.later { confined.value.count += 1 }
            #expect(confined.value.count == 0)
        }
        #expect(done.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(queue.sync { confined.value.count } == 20)
    }
}
