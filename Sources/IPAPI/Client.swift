import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
package import RecordKeeping
import Synchronization

/// Sends calls to the provider over HTTP. The only file that knows the HTTP library.
///
/// Keeps a connection for reuse, follows no redirection, repeats nothing, logs nothing, and asks for the time through
/// what it was given. Whoever makes one ends it with `shutdown()`.
package final class Client: Sendable {
    /// A full batch with all fields has some 60 kB; this is far beyond it and still no burden.
    package static let longestBodyBytes = 4 << 20

    private let provider: Provider
    private let decoder: ReplyDecoder
    private let timeout: Duration
    private let now: @Sendable () -> Instant
    private let http: HTTPClient

    /// - Parameters:
    ///   - timeout: for the whole of a call, from the lookup of the name to the last byte of the body.
    ///   - now: the time, read when the head of a request has been written.
    package init(provider: Provider, timeout: Duration = .seconds(10), now: @escaping @Sendable () -> Instant) {
        self.provider = provider
        decoder = ReplyDecoder(provider)
        self.timeout = timeout
        self.now = now
        var settings = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .nanoseconds(timeout.wholeNanoseconds)),
            // Back to back batches of the free tier are four seconds apart; beyond that a connection is not worth
            // keeping, and a timer less is pending.
            connectionPool: .init(idleTimeout: .seconds(15)),
            decompression: .enabled(limit: .size(Self.longestBodyBytes)))
        settings.httpVersion = .http1Only
        // Whether and when to try again is the core's to decide, and each try is a call of its own.
        settings.connectionPool.retryConnectionEstablishment = false
        // All on one loop, so that the head of a request, its body and its end are written before an answer is read. On two, a
        // provider that answers the head and hangs up makes the library end the process (async-http-client 1.37,
        // `releaseConnection`: "A connection that we don't know was released").
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        http = HTTPClient(eventLoopGroupProvider: .shared(loop), configuration: settings)
    }

    /// Sends one call and waits for the whole reply.
    ///
    /// Ends with a result in any case, at the latest when the timeout has passed. A cancelled task closes the
    /// connection and ends with a failure of kind `.offline`.
    package func send(_ call: Call) async -> Result<Reply, CallFailure> {
        do {
            let raw = try await exchange(ProviderRequest(call, to: provider))
            return .success(try decoder.reply(to: call, from: raw))
        } catch {
            return .failure(error)
        }
    }

    /// Closes all connections; calls under way end with a failure.
    package func shutdown() async {
        // The one error that can come is that it was shut down before, which is what was wanted.
        try? await http.shutdown()
    }

    private func exchange(_ request: ProviderRequest) async throws(CallFailure) -> RawReply {
        let gatherer = Gatherer(now: now, longestBodyBytes: Self.longestBodyBytes)
        // The library would begin to send before it heard of the cancellation.
        guard !Task.isCancelled else { throw failure(for: .cancelled, partial: nil) }
        do {
            let task = http.execute(
                request: try message(for: request), delegate: gatherer,
                deadline: .now() + .nanoseconds(timeout.wholeNanoseconds))
            return try await withTaskCancellationHandler {
                try await task.get()
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw failure(for: problem(behind: error, after: gatherer.progress), partial: gatherer.partial)
        }
    }

    /// - Parameter partial: the head of a response and what came of its body, where it broke off or took too long.
    private func failure(for problem: TransportProblem, partial: RawReply?) -> CallFailure {
        // A refusal is a refusal, whatever became of its page.
        if let partial, !(200...299).contains(partial.status), problem != .cancelled, problem != .shutDown {
            return StatusFailure(partial, from: provider).failure
        }
        var failure = problem.failure(of: provider, timeout: timeout, longestBodyBytes: Self.longestBodyBytes)
        failure.quota = partial?.quota
        return failure
    }

    private func message(for request: ProviderRequest) throws -> HTTPClient.Request {
        var headers: HTTPHeaders = ["User-Agent": "iprecord", "Accept": "application/json", "Accept-Encoding": "gzip"]
        if request.body != nil { headers.add(name: "Content-Type", value: "application/json") }
        return try HTTPClient.Request(
            url: "\(provider.endpoint)\(request.path)?\(request.query)",
            method: HTTPMethod(rawValue: request.method.rawValue), headers: headers,
            body: request.body.map { .byteBuffer(ByteBuffer(bytes: $0)) })
    }
}

// MARK: - What comes back

/// Collects one response, and notes when the request left.
private final class Gatherer: HTTPClientResponseDelegate {
    /// How far an exchange got.
    enum Progress { case unsent, sent, responding }

    private struct State {
        var sentAt: Instant?
        var head: HTTPResponseHead?
        var body = ByteBuffer()
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Instant
    private let longestBodyBytes: Int

    init(now: @escaping @Sendable () -> Instant, longestBodyBytes: Int) {
        self.now = now
        self.longestBodyBytes = longestBodyBytes
    }

    var progress: Progress {
        state.withLock { $0.head != nil ? .responding : $0.sentAt != nil ? .sent : .unsent }
    }

    func didSendRequestHead(task: HTTPClient.Task<RawReply>, _ head: HTTPRequestHead) {
        let moment = now()
        state.withLock { $0.sentAt = moment }
    }

    func didReceiveHead(task: HTTPClient.Task<RawReply>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        state.withLock { $0.head = head }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<RawReply>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
        let fits = state.withLock { state in
            guard state.body.readableBytes + part.readableBytes <= longestBodyBytes else { return false }
            state.body.writeImmutableBuffer(part)
            return true
        }
        return fits
            ? task.eventLoop.makeSucceededVoidFuture() : task.eventLoop.makeFailedFuture(BodyTooLarge())
    }

    func didFinishRequest(task: HTTPClient.Task<RawReply>) throws -> RawReply {
        // The library tells of the end after the heads of both; if it did not, there would be no exchange to tell of.
        guard let whole = partial else { throw HTTPClientError.remoteConnectionClosed }
        return whole
    }

    /// What has come so far; nil before a response's head.
    var partial: RawReply? {
        let state = state.withLock { $0 }
        guard let sentAt = state.sentAt, let head = state.head else { return nil }
        return RawReply(
            status: Int(head.status.code), headers: head.headers.map { (name: $0.name, value: $0.value) },
            body: Array(state.body.readableBytesView), sentAt: sentAt)
    }
}

private struct BodyTooLarge: Error {}

// MARK: - What goes wrong

extension Client {
    /// Translates the library's errors.
    ///
    /// What none of the known types tells is judged by how far the exchange got: the errors of TLS come from a library
    /// below, which is not ours to import.
    private func problem(behind error: any Error, after progress: Gatherer.Progress) -> TransportProblem {
        switch error {
        case let error as HTTPClientError:
            return problem(behind: error, after: progress)
        case is BodyTooLarge, NIOHTTPDecompression.DecompressionError.limit:
            return .tooLarge
        case let error as NIOConnectionError:
            return problem(behind: error)
        case ChannelError.connectTimeout:
            return .connectTimeout
        case let error as IOError:
            return problem(behind: error, after: progress)
        case HTTPParserError.invalidEOFState:
            return progress == .responding ? .brokeOff : .closed
        case let error as HTTPParserError:
            return .notHTTP("\(error)")
        default:
            let words = ForeignText("\(error)").excerpt() ?? "an error without words"
            return switch progress {
            case .unsent: provider.scheme == .https ? .tls(reasonOfTLS(in: "\(error)") ?? words) : .other(words)
            case .sent: .other(words)
            case .responding: .notHTTP(words)
            }
        }
    }

    private func problem(behind error: HTTPClientError, after progress: Gatherer.Progress) -> TransportProblem {
        switch error {
        case .cancelled: .cancelled
        case .alreadyShutdown: .shutDown
        case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout: .connectTimeout
        case .deadlineExceeded, .readTimeout, .writeTimeout: progress == .unsent ? .connectTimeout : .deadline
        case .remoteConnectionClosed: progress == .responding ? .brokeOff : .closed
        case .uncleanShutdown where progress == .responding: .brokeOff
        case .uncleanShutdown: .tls("closed without a farewell")
        default: .other(error.shortDescription)
        }
    }

    /// "wrong version number" in "…SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at…"; nil where there is none.
    private func reasonOfTLS(in words: String) -> String? {
        let afterMark = words.split(separator: "OPENSSL_internal:", maxSplits: 1).dropFirst().first
        let reason = afterMark?.prefix { $0.isASCII && ($0.isLetter || $0 == "_") } ?? ""
        return reason.isEmpty ? nil : reason.lowercased().split(separator: "_").joined(separator: " ")
    }

    /// No connection to any of the name's addresses.
    private func problem(behind error: NIOConnectionError) -> TransportProblem {
        guard let last = error.connectionErrors.last?.error else { return .nameNotFound }
        if case ChannelError.connectTimeout = last { return .connectTimeout }
        guard let last = last as? IOError else { return .notConnected("\(last)") }
        return problem(behind: last, after: .unsent)
    }

    private func problem(behind error: IOError, after progress: Gatherer.Progress) -> TransportProblem {
        switch (error.errnoCode, progress) {
        case (ETIMEDOUT, .unsent): return .connectTimeout
        case (ETIMEDOUT, _): return .deadline
        case (ECONNRESET, _), (EPIPE, _): return .reset
        default:
            // Not the error's own description, which names the system call and its parameters.
            return .notConnected("\(String(cString: strerror(error.errnoCode))) (errno \(error.errnoCode))")
        }
    }
}
