// Builds without tests, such as release builds, do not find the module Testing.
#if canImport(Testing)
    import Confinement
    import Dispatch
    package import PostgreSQL
    import Testing

    /// A connection on a queue of its own, whose results a test can await.
    package final class TestConnection: Sendable {
        package typealias Outcome = Result<SQLReply, PostgreSQLError>

        package let events: AsyncStream<ConnectionEvent>
        private let queue = DispatchQueue(label: "postgresql.test")
        private let connection: QueueConfined<PostgreSQLConnection>

        package init(_ settings: ConnectionSettings, library: String = "libpq.so.5") {
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

        package convenience init(_ url: String, limit: Duration = .seconds(20)) {
            self.init(ConnectionSettings(url: url, connectLimit: limit))
        }

        deinit { close() }

        package func close() {
            queue.async { [connection] in connection.value.close() }
        }

        /// Calls a closure while the connection handles nothing.
        package func whileBlocked(_ work: () async throws -> Void) async throws {
            let end = DispatchSemaphore(value: 0)
            queue.async { end.wait() }
            defer { end.signal() }
            try await work()
        }

        /// Sends a request. It is in the queue of the connection when this method returns.
        package func begin(_ request: SQLRequest, limit: Duration = .seconds(30)) -> Task<Outcome, Never> {
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

        package func send(_ request: SQLRequest, limit: Duration = .seconds(30)) async -> Outcome {
            await begin(request, limit: limit).value
        }

        /// Sends a request all of whose statements are expected to succeed.
        @discardableResult
        package func results(_ request: SQLRequest) async throws -> SQLReply { try await send(request).get() }

        /// The next event; nil after the last one.
        package func nextEvent() async -> ConnectionEvent? {
            for await event in events { return event }
            return nil
        }

        /// Waits until the connection is established.
        package func session() async throws -> ConnectionEvent.Session { try #require(await nextEvent()?.session) }
    }
#endif
