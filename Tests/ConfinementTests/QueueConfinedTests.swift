import Confinement
import Dispatch
import Testing

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
