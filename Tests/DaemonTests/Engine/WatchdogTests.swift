import Dispatch
import Synchronization
import Testing

@testable import Daemon

@Suite struct WatchdogTests {
    /// A watchdog over two queues, each of which the test can block.
    private final class Pair: Sendable {
        let engine = DispatchQueue(label: "test.engine")
        let store = DispatchQueue(label: "test.store")
        let pings = Tally()
        let rounds = Tally()

        /// Runs a watchdog during `body`.
        func watch(_ body: () -> Void) {
            let watchdog = Watchdog(patience: .milliseconds(20), queue: engine) { [store, rounds] done in
                rounds.note()
                store.async(execute: done)
            } ping: { [pings, engine] in
                dispatchPrecondition(condition: .onQueue(engine))
                pings.note()
            }
            engine.sync { watchdog.begin() }
            body()
            engine.sync { watchdog.cancel() }
        }
    }

    @Test func `pings are sent while both queues work`() {
        let pair = Pair()
        pair.watch { #expect(pair.pings.wait(for: 5)) }
        // After the cancellation, a round in progress does not ping.
        let count = pair.engine.sync { pair.pings.count }
        pair.store.sync {}
        #expect(pair.engine.sync { pair.pings.count } == count)
    }

    @Test func `no ping is sent while the store hangs, and rounds do not accumulate`() {
        let pair = Pair()
        let hang = DispatchSemaphore(value: 0)
        pair.watch {
            #expect(pair.pings.wait(for: 1))
            pair.store.async { hang.wait() }
            // Ten times the patience, measured on the engine's queue, which works.
            let (count, over) = (pair.engine.sync { (pair.pings.count, pair.rounds.count) }, Tally())
            pair.engine.asyncAfter(deadline: .now() + .milliseconds(200)) { over.note() }
            #expect(over.wait(for: 1))
            // A round that had passed the store before it hung may still end.
            #expect(pair.pings.count <= count.0 + 1)
            #expect(pair.rounds.count <= count.1 + 2)
            hang.signal()
            #expect(pair.pings.wait(for: count.0 + 3))
        }
    }

    @Test func `no ping is sent while the engine's queue hangs`() {
        let pair = Pair()
        let (hang, hangs) = (DispatchSemaphore(value: 0), Tally())
        pair.watch {
            #expect(pair.pings.wait(for: 1))
            pair.engine.async {
                hangs.note()
                hang.wait()
            }
            #expect(hangs.wait(for: 1))
            let (count, over) = (pair.pings.count, Tally())
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { over.note() }
            #expect(over.wait(for: 1))
            #expect(pair.pings.count == count)
            hang.signal()
            #expect(pair.pings.wait(for: count + 2))
        }
    }
}
