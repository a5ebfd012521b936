import Confinement
import Dispatch
import Testing

@testable import PostgreSQL

/// A connection on a queue of its own, whose results a test can await.
final class TestConnection: Sendable {
    typealias Outcome = Result<SQLReply, PostgreSQLError>

    let events: AsyncStream<ConnectionEvent>
    private let queue = DispatchQueue(label: "postgresql.test")
    private let connection: QueueConfined<PostgreSQLConnection>

    init(_ settings: ConnectionSettings, library: String = "libpq.so.5") {
        let (events, continuation) = AsyncStream.makeStream(of: ConnectionEvent.self)
        self.events = events
        connection = queue.sync { [queue] in
            let connection = PostgreSQLConnection.open(settings, queue: queue, library: library) { event in
                continuation.yield(event)
                switch event {
                case .failed, .ended: continuation.finish()
                case .ready, .notified: break
                }
            }
            return QueueConfined(connection, onQueue: queue)
        }
    }

    convenience init(_ url: String, limit: Duration = .seconds(20)) {
        self.init(ConnectionSettings(url: url, connectLimit: limit))
    }

    deinit { close() }

    func close() {
        queue.async { [connection] in connection.value.close() }
    }

    /// Calls a closure while the connection handles nothing.
    func whileBlocked(_ work: () async throws -> Void) async throws {
        let end = DispatchSemaphore(value: 0)
        queue.async { end.wait() }
        defer { end.signal() }
        try await work()
    }

    /// Sends a request. It is in the queue of the connection when this method returns.
    func begin(_ request: SQLRequest, limit: Duration = .seconds(30)) -> Task<Outcome, Never> {
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        queue.async { [connection] in
            var hasOutcome = false
            connection.value.send(request, limit: limit) { outcome in
                if hasOutcome { Issue.record("a second outcome: \(outcome)") }
                hasOutcome = true
                continuation.yield(outcome)
            }
        }
        return Task {
            for await outcome in outcomes { return outcome }
            return .failure(.notSent(.closed))
        }
    }

    func send(_ request: SQLRequest, limit: Duration = .seconds(30)) async -> Outcome {
        await begin(request, limit: limit).value
    }

    /// Sends a request all of whose statements are expected to succeed.
    @discardableResult
    func results(_ request: SQLRequest) async throws -> SQLReply { try await send(request).get() }

    /// The next event; nil after the last one.
    func nextEvent() async -> ConnectionEvent? {
        for await event in events { return event }
        return nil
    }

    /// Waits until the connection is established.
    func session() async throws -> ConnectionEvent.Session { try #require(await nextEvent()?.session) }
}
