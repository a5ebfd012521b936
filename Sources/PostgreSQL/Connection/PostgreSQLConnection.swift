import Confinement
package import Dispatch

/// A connection to a writable PostgreSQL server, whose methods never block.
///
///     let connection = PostgreSQLConnection.open(settings, queue: queue) { event in … }
///     connection.send(.script("SELECT 1; SELECT 2"), limit: .seconds(2)) { result in … }
///
/// Belongs to the queue passed to `open`: its methods are called there, and so are all closures, never within a call of
/// a method. A queue of its own is advisable, because TLS handshakes and SCRAM take milliseconds of CPU time. The
/// connection stays open until `close`, even without a reference to it.
///
/// One query is in progress at a time; the others wait in order. Each gets exactly one result. A query that exceeds its
/// time limit is not cancelled, but the connection is closed: before libpq 17, PQcancel blocks its caller, is not
/// encrypted, and a server that cannot be reached does not receive it either; the outcome is unknown either way. The
/// server may continue the query, so a statement sets `statement_timeout` where that matters.
package final class PostgreSQLConnection {
    package typealias Completion = (Result<SQLReply, PostgreSQLError>) -> Void

    /// Each state is left in the direction of `failed` and `ended`, but for the change between `idle` and `busy`.
    private enum State {
        /// Exists only within `open`.
        case unopened
        case connecting(Connector)
        /// The server waits for a query.
        case idle(Link)
        /// The server works on a query.
        case busy(Link, QueryInProgress)
        /// No connection was established.
        case failed(PostgreSQLError)
        /// The connection existed, or was closed before it did.
        case ended(ConnectionEnd)
    }

    /// An established connection. Reading never stops, so that notifications and the end of the connection are noticed.
    private struct Link {
        let session: LibPQSession
        let reader: SocketWatch
        /// Exists while a part of a request is not written, because the server does not read fast enough.
        var writer: SocketWatch?
    }

    /// A query that was handed to libpq.
    private struct QueryInProgress {
        let query: PendingQuery
        var results: [SQLReply.StatementResult] = []
        /// The first error of the server.
        var failure: ServerMessage?
    }

    private let queue: DispatchQueue
    private let onEvent: (ConnectionEvent) -> Void
    private var state = State.unopened
    private var pending = PendingQueries()
    /// Fires at the earliest deadline of a query, or earlier, if that query has ended.
    private var timer: OneShotTimer?
    private var armed = DispatchTime.distantFuture

    private init(queue: DispatchQueue, onEvent: @escaping (ConnectionEvent) -> Void) {
        (self.queue, self.onEvent) = (queue, onEvent)
    }

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - queue: a serial queue, on which the caller runs.
    ///   - library: the name of libpq.
    ///   - onEvent: called with `ready` or `failed` once, then with notifications and once with `ended`. After `close`,
    ///     the last event is `ended`.
    package static func open(
        _ settings: ConnectionSettings, queue: DispatchQueue, library: String = "libpq.so.5",
        onEvent: @escaping (ConnectionEvent) -> Void
    ) -> PostgreSQLConnection {
        open(settings, queue: queue, library: library, resolve: ServerAddress.resolve, onEvent: onEvent)
    }

    /// The same with another resolver of host names.
    static func open(
        _ settings: ConnectionSettings, queue: DispatchQueue, library: String,
        resolve: @escaping ServerAddress.Resolver,
        onEvent: @escaping (ConnectionEvent) -> Void
    ) -> PostgreSQLConnection {
        let connection = PostgreSQLConnection(queue: queue, onEvent: onEvent)
        let connector = Connector(settings, queue: queue, resolve: resolve) { connection.connected($0) }
        connection.state = .connecting(connector)
        let shared = QueueConfined(connection, onQueue: queue)
        connection.timer = OneShotTimer(queue: queue) { shared.value.checkDeadlines() }
        connector.start(library: library)
        return connection
    }

    /// Sends a request, after all earlier ones and as soon as the connection is established.
    ///
    /// - Parameters:
    ///   - limit: the time from this call until the reply. If it passes while the request waits, the request is not
    ///     sent; if it passes afterwards, the connection is closed.
    ///   - done: called once with the results of all statements. If one of them fails, the failure is `server`.
    package func send(_ request: SQLRequest, limit: Duration, done: @escaping Completion) {
        switch state {
        case .failed(let failure): return complete(done, .failure(.notConnected(failure)))
        case .ended(let end): return complete(done, .failure(.notSent(end)))
        case .unopened, .connecting, .idle, .busy: break
        }
        do throws(PostgreSQLError) {
            try request.validate()
        } catch {
            return complete(done, .failure(error))
        }
        let query = PendingQuery(request: request, limit: limit, deadline: .after(limit), done: done)
        guard pending.append(query) else {
            return complete(done, .failure(.tooManyPendingQueries(max: PendingQueries.maxCount)))
        }
        arm(query.deadline)
        sendNext()
    }

    /// Closes the connection. Queries that wait are not sent, and the outcome of the one in progress is unknown.
    package func close() { end(.closed) }

    // MARK: Beginning and end

    private func connected(_ result: Result<LibPQSession, PostgreSQLError>) {
        guard case .connecting = state else { return }
        switch result {
        case .failure(let failure):
            state = .failed(failure)
            timer = nil
            for query in pending.removeAll() { complete(query.done, .failure(.notConnected(failure))) }
            report(.failed(failure))
        case .success(let session):
            let shared = QueueConfined(self, onQueue: queue)
            let reader = SocketWatch(.readable, of: session.socket, queue: queue) { shared.value.read() }
            guard let reader else { return end(.lost(reason: "no file descriptor is free")) }
            state = .idle(Link(session: session, reader: reader))
            report(.ready(.init(processID: session.processID, serverVersion: session.serverVersion)))
            sendNext()
        }
    }

    private func end(_ end: ConnectionEnd) {
        switch state {
        case .failed, .ended: return
        case .connecting(let connector): connector.cancel()
        case .unopened, .idle: break
        case .busy(_, let running):
            var failure = PostgreSQLError.outcomeUnknown(end)
            if case .queryTimedOut(let limit) = end { failure = .timedOut(limit: limit, wasSent: true) }
            complete(running.query.done, .failure(failure))
        }
        // Releases the session, which closes the connection.
        state = .ended(end)
        timer = nil
        for query in pending.removeAll() { complete(query.done, .failure(.notSent(end))) }
        report(.ended(end))
    }

    /// Returns the reason why libpq reports a connection as broken: that of the server, or that of libpq.
    private func end(of session: LibPQSession, reason: String? = nil) -> ConnectionEnd {
        let message = session.dequeueMessages().last { $0.endsSession }
        return message.map { .endedByServer($0) } ?? .lost(reason: reason ?? session.error.line)
    }

    // The closures of the user are called in order, and never within a call of a method.

    private func complete(_ done: @escaping Completion, _ result: Result<SQLReply, PostgreSQLError>) {
        queue.later { done(result) }
    }

    private func report(_ event: ConnectionEvent) {
        queue.later { [onEvent] in onEvent(event) }
    }

    // MARK: Queries

    private func sendNext() {
        while case .idle(let link) = state, let query = pending.popFirst() {
            guard query.deadline > .now() else {
                complete(query.done, .failure(.timedOut(limit: query.limit, wasSent: false)))
                continue
            }
            guard link.session.isConnected else {
                let end = self.end(of: link.session)
                complete(query.done, .failure(.notSent(end)))
                return self.end(end)
            }
            // Such as those of the start of a session: they do not belong to the request.
            link.session.discardWarnings()
            state = .busy(link, QueryInProgress(query: query))
            // libpq may have written a part of it, so the outcome is unknown.
            guard link.session.send(query.request) else { return end(self.end(of: link.session)) }
            flush()
        }
    }

    /// Writes the rest of the request without blocking.
    private func flush() {
        guard case .busy(var link, let running) = state else { return }
        switch link.session.flush() {
        case .done:
            link.writer = nil
            state = .busy(link, running)
        case .incomplete where link.writer == nil:
            let shared = QueueConfined(self, onQueue: queue)
            link.writer = SocketWatch(.writable, of: link.session.socket, queue: queue) { shared.value.flush() }
            guard link.writer != nil else { return end(.lost(reason: "no file descriptor is free")) }
            state = .busy(link, running)
        case .incomplete:
            break
        case .failed:
            // The server may have sent the reason before.
            read(link.session)
            end(end(of: link.session))
        }
    }

    private func read() {
        switch state {
        case .idle(let link), .busy(let link, _): read(link.session)
        case .unopened, .connecting, .failed, .ended: break
        }
    }

    private func read(_ session: LibPQSession) {
        var isAlive = true
        repeat {
            isAlive = session.readInput()
            handleInput(session)
        } while isAlive && session.isConnected && SocketWatch.isHungUp(session.socket)
        if !isAlive || !session.isConnected { end(end(of: session)) }
    }

    /// Handles all results and notifications that have been read.
    private func handleInput(_ session: LibPQSession) {
        repeat {
            while let notification = session.nextNotification() { report(.notified(notification)) }
        } while handleArrival(session)
    }

    /// - Returns: false if there is none.
    private func handleArrival(_ session: LibPQSession) -> Bool {
        guard case .busy(let link, var running) = state, let arrival = session.nextArrival() else { return false }
        switch arrival {
        case .result(.success(let result)):
            running.results.append(result)
            state = .busy(link, running)
        case .result(.failure(.server(let message))) where !message.severity.endsSession:
            running.failure = running.failure ?? message
            state = .busy(link, running)
        case .result(.failure(.server(let message))):
            end(.endedByServer(message))
            return false
        case .result(.failure(.unexpected(let reason))):
            end(session.isConnected ? .unexpectedReply(reason: reason) : end(of: session, reason: reason))
            return false
        case .requestDone:
            let reply = SQLReply(results: running.results, warnings: session.dequeueMessages())
            // libpq may have written the rest of the request while it read the reply.
            state = .idle(Link(session: link.session, reader: link.reader))
            complete(running.query.done, running.failure.map { .failure(.server($0)) } ?? .success(reply))
            sendNext()
        }
        return true
    }

    // MARK: Time limits

    private func arm(_ deadline: DispatchTime) {
        guard deadline < armed else { return }
        armed = deadline
        timer?.arm(deadline)
    }

    private func checkDeadlines() {
        armed = .distantFuture
        let now = DispatchTime.now()
        for query in pending.removeExpired(at: now) {
            complete(query.done, .failure(.timedOut(limit: query.limit, wasSent: false)))
        }
        if case .busy(_, let running) = state {
            guard running.query.deadline > now else { return end(.queryTimedOut(limit: running.query.limit)) }
            arm(running.query.deadline)
        }
        if let earliest = pending.earliestDeadline { arm(earliest) }
    }
}
