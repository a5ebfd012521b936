import Foundation
import RecordKeeping
import Testing

@testable import Daemon

@Suite struct EngineTests {
    @Test func `events that several threads post are handled in each thread's order`() async throws {
        let (threads, perThread) = (5, 1_000)
        try await Service.run { service in
            let listener = try service.connect()
            try listener.send(CallText.monitor("added"))
            let engine = service.engine
            for thread in 0..<threads {
                Thread.detachNewThread {
                    for number in 0..<perThread {
                        let address = IPAddress(v4: 0x0A00_0000 + UInt32(thread) << 16 + UInt32(number))
                        let id = Request.ID(peer: PeerID(number: 1_000 + UInt64(thread)), number: UInt64(number))
                        let body = Request.Body.add([address], tags: [], note: nil)
                        engine.post(.requested(Request(id: id, isByAdministrator: true, body: body)))
                    }
                }
            }
            var heard = [[Int]](repeating: [], count: threads)
            while heard.joined().count < threads * perThread {
                let event = try #require(try listener.message())
                guard let parts = event.firstMatch(of: /"address":"10\.(\d+)\.(\d+)\.(\d+)"/) else { continue }
                guard let thread = Int(parts.1), let high = Int(parts.2), let low = Int(parts.3) else { continue }
                heard[thread].append(high << 8 + low)
            }
            for numbers in heard { #expect(numbers == Array(0..<perThread)) }
        }
    }

    @Test func `the engine handles nothing after its end`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try client.send(CallText.add("10.0.0.1"))
            _ = try client.message()
            service.onQueue { $0.end() }
            #expect(try client.messagesToTheEnd() == [])
            #expect(throws: UnixClient.Failed.self) { try service.connect() }
            service.engine.post(.routesChanged)
            service.onQueue { _ in }
            try service.waitForSockets(0)
        }
    }
}

@Suite struct QueueExecutorTests {
    private actor Counter {
        nonisolated let executor: QueueExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private(set) var numbers: [Int] = []

        init(executor: QueueExecutor) { self.executor = executor }

        func add(_ number: Int) {
            dispatchPrecondition(condition: .onQueue(executor.queue))
            numbers.append(number)
        }
    }

    @Test func `jobs of an actor and blocks of its queue run on the same queue`() async {
        let counter = Counter(executor: QueueExecutor(label: "test"))
        await counter.add(1)
        counter.executor.queue.sync { counter.assumeIsolated { $0.add(2) } }
        await counter.add(3)
        #expect(await counter.numbers == [1, 2, 3])
    }
}
