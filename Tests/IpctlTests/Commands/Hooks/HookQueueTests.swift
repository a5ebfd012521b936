import RecordKeeping
import Testing

@testable import ipctl

/// The order of events for the command of `--exec`, in simulated time.
@Suite struct HookQueueTests {
    private static func event(_ seq: Int64, _ address: String? = "192.0.2.1", isKept: Bool = true) -> HookEvent {
        HookEvent(
            cursor: isKept ? CursorFile.Cursor(seq: seq, at: seq) : nil, address: address, name: "\(seq)",
            input: [1, 2, 3], variables: ["A=b"])
    }

    /// A queue whose methods can be called in expectations.
    @dynamicMemberLookup private final class Harness {
        private var queue: HookQueue

        init(jobs: Int = 1, maxTries: Int? = nil, _ events: [HookEvent] = []) {
            queue = HookQueue(HookQueue.Policy(jobs: jobs, maxTries: maxTries))
            for event in events { queue.append(event) }
        }

        subscript<Value>(dynamicMember path: KeyPath<HookQueue, Value>) -> Value { queue[keyPath: path] }
        func append(_ event: HookEvent) { queue.append(event) }
        func start(at now: Int64) -> HookQueue.Run? { queue.start(at: now) }
        func end(_ run: HookQueue.Run, isSuccess: Bool, at now: Int64) -> HookQueue.Outcome {
            queue.end(run, isSuccess: isSuccess, at: now)
        }
    }

    @Test func `one job runs the events one after the other, and the cursor follows`() throws {
        let queue = Harness([Self.event(7, "192.0.2.1"), Self.event(8, "192.0.2.2")])
        let first = try #require(queue.start(at: 0))
        #expect(first.event == Self.event(7, "192.0.2.1") && first.attempt == 1)
        #expect(queue.start(at: 0) == nil)
        #expect(queue.nextStart == nil && queue.cursor == nil && queue.runningCount == 1)
        #expect(queue.end(first, isSuccess: true, at: 5) == .finished)
        #expect(queue.cursor == CursorFile.Cursor(seq: 7, at: 7))
        let second = try #require(queue.start(at: 5))
        #expect(queue.end(second, isSuccess: true, at: 6) == .finished)
        #expect(queue.cursor?.seq == 8 && queue.isEmpty && queue.start(at: 9) == nil)
    }

    @Test func `several jobs run events of different addresses, and those of an address in order`() throws {
        let queue = Harness(
            jobs: 3,
            [Self.event(1, "a"), Self.event(2, "a"), Self.event(3, "b"), Self.event(4, nil), Self.event(5, nil)])
        let runs = (0..<3).compactMap { _ in queue.start(at: 0) }
        #expect(runs.map(\.event.name) == ["1", "3", "4"])
        #expect(queue.start(at: 0) == nil)
        #expect(queue.end(runs[1], isSuccess: true, at: 1) == .finished)
        // Events 2 and 5 wait for the earlier ones of their address.
        #expect(queue.start(at: 1) == nil && queue.nextStart == nil)
        #expect(queue.end(runs[2], isSuccess: true, at: 2) == .finished)
        #expect(queue.start(at: 2)?.event.name == "5")
        #expect(queue.cursor == nil, "event 1 is not finished")
        #expect(queue.end(runs[0], isSuccess: true, at: 3) == .finished)
        #expect(queue.cursor?.seq == 1)
        #expect(queue.start(at: 3)?.event.name == "2")
    }

    @Test func `a failed event runs again after a delay that doubles up to a minute`() throws {
        let queue = Harness([Self.event(1), Self.event(2)])
        var (now, delays) = (Int64(0), [Int64]())
        for attempt in 1...9 {
            let run = try #require(queue.start(at: now))
            #expect(run.event.name == "1" && run.attempt == attempt)
            guard case .retries(let delay) = queue.end(run, isSuccess: false, at: now) else {
                Issue.record("no retry after attempt \(attempt)")
                return
            }
            delays.append(delay)
            #expect(queue.nextStart == now + delay)
            #expect(queue.start(at: now + delay - 1) == nil)
            now += delay
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { $0 * 1_000 })
        #expect(HookBackoff.milliseconds(afterFailures: .max) == 60_000)
        #expect(queue.cursor == nil)
    }

    @Test func `an event that waits for another attempt occupies no job`() throws {
        let queue = Harness(jobs: 2, [Self.event(1, "a"), Self.event(2, "b"), Self.event(3, "c")])
        let first = try #require(queue.start(at: 0))
        #expect(queue.end(first, isSuccess: false, at: 0) == .retries(afterMilliseconds: 1_000))
        #expect((0..<2).compactMap { _ in queue.start(at: 1)?.event.name } == ["2", "3"])
        #expect(queue.runningCount == 2 && queue.nextStart == nil)
    }

    @Test func `an event is skipped after the maximum number of tries`() throws {
        let queue = Harness(maxTries: 2, [Self.event(1), Self.event(2)])
        let first = try #require(queue.start(at: 0))
        #expect(queue.end(first, isSuccess: false, at: 0) == .retries(afterMilliseconds: 1_000))
        let second = try #require(queue.start(at: 1_000))
        #expect(queue.end(second, isSuccess: false, at: 1_000) == .skipped(tries: 2))
        #expect(queue.cursor?.seq == 1)
        #expect(queue.start(at: 1_000)?.event.name == "2")
    }

    @Test func `an event that is not kept does not move the cursor`() throws {
        let queue = Harness([Self.event(1), Self.event(0, isKept: false)])
        for _ in 0..<2 {
            let run = try #require(queue.start(at: 0))
            #expect(queue.end(run, isSuccess: true, at: 0) == .finished)
        }
        #expect(queue.cursor?.seq == 1 && queue.isEmpty)
    }

    @Test func `the queue is full at its maximum number of events, finished ones behind an unfinished one included`()
        throws
    {
        let queue = Harness(jobs: 2, (1...999).map { Self.event($0, "\($0)") })
        #expect(!queue.isFull)
        queue.append(Self.event(1_000, "1000"))
        #expect(queue.isFull)
        let first = try #require(queue.start(at: 0))
        for _ in 2...1_000 {
            let run = try #require(queue.start(at: 0))
            #expect(queue.end(run, isSuccess: true, at: 0) == .finished)
        }
        #expect(queue.isFull && queue.cursor == nil)
        #expect(queue.end(first, isSuccess: true, at: 0) == .finished)
        #expect(queue.isEmpty && queue.cursor?.seq == 1_000)
    }

    @Test func `the queue is full at its maximum size, of which finished events are no part`() throws {
        let big = HookEvent(
            cursor: CursorFile.Cursor(seq: 1), address: "a", name: "1",
            input: Array(repeating: 0, count: HookQueue.maxBytes), variables: [])
        let queue = Harness(jobs: 2, [Self.event(0, "b"), big])
        #expect(queue.isFull)
        let runs = (0..<2).compactMap { _ in queue.start(at: 0) }
        try #require(runs.count == 2)
        #expect(queue.end(runs[1], isSuccess: true, at: 0) == .finished)
        #expect(!queue.isFull)
    }

    /// Random events, durations and failures, with the promises checked after each step.
    @Test(arguments: UInt64(1)...100)
    func `every event is finished, in order per address, and the cursor never passes an unfinished one`(
        seed: UInt64
    ) throws {
        var random = Random(seed: seed)
        let jobs = Int.random(in: 1...5, using: &random)
        let queue = Harness(jobs: jobs, maxTries: Bool.random(using: &random) ? nil : 3)
        let count: Int64 = 200
        var (now, next) = (Int64(0), Int64(1))
        var running: [HookQueue.Run] = []
        var (finished, latest): (Set<Int64>, [String?: Int64]) = ([], [:])
        while next <= count || !queue.isEmpty {
            if next <= count, !queue.isFull, Bool.random(using: &random) {
                let address = Int.random(in: 0...5, using: &random)
                queue.append(Self.event(next, address == 0 ? nil : "\(address)"))
                next += 1
            }
            while let run = queue.start(at: now) {
                running.append(run)
                let seq = try #require(run.event.cursor?.seq)
                let key = jobs == 1 ? nil : run.event.address
                #expect(seq >= latest[key] ?? 0, "an earlier event of an address runs after a later one")
                latest[key] = seq
            }
            #expect(running.count <= jobs && running.count == queue.runningCount)
            #expect(Set(running.map(\.event.address)).count == running.count)
            if !running.isEmpty, Bool.random(using: &random) {
                let run = running.remove(at: Int.random(in: running.indices, using: &random))
                let outcome = queue.end(run, isSuccess: Int.random(in: 0...3, using: &random) > 0, at: now)
                if case .retries = outcome {} else { finished.insert(try #require(run.event.cursor?.seq)) }
            }
            if let cursor = queue.cursor { #expect((1...cursor.seq).allSatisfy { finished.contains($0) }) }
            now += Int64.random(in: 0...500, using: &random)
            if running.isEmpty, let start = queue.nextStart { now = max(now, start) }
        }
        #expect(finished == Set(1...count) && queue.cursor?.seq == count)
    }
}
