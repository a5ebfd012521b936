import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
package import RecordKeeping
import Synchronization

/// The HTTP client for the provider, and the only file that imports the HTTP library.
///
/// It reuses connections, does not follow redirects, does not retry and does not log. It reads the time only through
/// the closure passed to `init`. The creator must call `shutdown()`.
package final class Client: Sendable {
    /// Maximum size of a decompressed body in bytes (4 MiB). A full batch with all fields is about 60 kB long.
    package static let maxBodyBytes = 4 << 20

    /// Time after which an idle connection is closed, so that its timer does not stay pending. Batches of the free tier
    /// are four seconds apart on average.
    package static let maxIdleTime = Duration.seconds(15)

    private let provider: Provider
    private let decoder: ReplyDecoder
    private let timeout: Duration
    private let now: @Sendable () -> Instant
    private let http: HTTPClient

    /// - Parameters:
    ///   - timeout: the maximum duration of a whole call, from the name lookup to the last byte of the body.
    ///   - now: returns the current time; called when the head of a request has been written.
    package init(provider: Provider, timeout: Duration = .seconds(10), now: @escaping @Sendable () -> Instant) {
        self.provider = provider
        decoder = ReplyDecoder(provider)
        self.timeout = timeout
        self.now = now
        var settings = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .nanoseconds(timeout.wholeNanoseconds)),
            connectionPool: .init(idleTimeout: .nanoseconds(Self.maxIdleTime.wholeNanoseconds)),
            decompression: .enabled(limit: .size(Self.maxBodyBytes)))
        settings.httpVersion = .http1Only
        // Otherwise, the library creates a tracing span for each request, although nothing collects the spans.
        settings.tracing.tracer = nil
        if let proxy = provider.proxy { settings.use(proxy, for: provider) }
        // The core decides whether and when to retry, and each attempt is a call of its own.
        settings.connectionPool.retryConnectionEstablishment = false
        // All connections use one event loop, so that the head, body and end of a request are written before a response
        // is read. With two loops, if a provider responds to the head and closes the connection, the library crashes
        // the process (async-http-client 1.37, `releaseConnection`: "A connection that we don't know was released").
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        http = HTTPClient(eventLoopGroupProvider: .shared(loop), configuration: settings)
    }

    /// A handle with which a call can be cancelled.
    package struct SentCall: Sendable {
        /// Nil if the call failed before it was handed to the HTTP library.
        fileprivate let task: HTTPClient.Task<RawReply>?

        /// Closes the connection of the call, which then fails with kind `.offline`. Has no effect after the call has
        /// ended.
        package func cancel() {
            task?.cancel()
        }
    }

    /// Sends one call without waiting for the reply.
    ///
    /// - Parameter done: called once, at the latest when the timeout has passed. It runs on the thread of the HTTP
    ///   library, which also decodes the reply; if the request is invalid, it runs on the caller's thread. It may be
    ///   called before this method returns.
    package func send(
        _ call: Call, done: @escaping @Sendable (Result<Reply, CallFailure>) -> Void
    ) -> SentCall {
        let collector = ResponseCollector(now: now, maxBodyBytes: Self.maxBodyBytes)
        do {
            let task = try begin(ProviderRequest(call, to: provider), collector)
            task.futureResult.whenComplete { [self] result in
                done(
                    Result { () throws(CallFailure) in
                        try decoder.reply(to: call, from: try response(result, to: collector))
                    })
            }
            return SentCall(task: task)
        } catch {
            done(.failure(failure(behind: error, of: collector)))
            return SentCall(task: nil)
        }
    }

    /// Closes all connections. Calls in flight fail.
    package func shutdown() async {
        // The only possible error is that the client is already shut down, which is the desired state.
        try? await http.shutdown()
    }

    /// Sends a request and waits for the complete response, whatever its status. If the task is cancelled, the
    /// connection is closed, and the request fails with kind `.offline`.
    package func exchange(_ request: ProviderRequest) async throws(CallFailure) -> RawReply {
        let collector = ResponseCollector(now: now, maxBodyBytes: Self.maxBodyBytes)
        // The library would begin to send before it noticed the cancellation.
        guard !Task.isCancelled else { throw failure(for: .cancelled, partial: nil) }
        do {
            let task = try begin(request, collector)
            return try await withTaskCancellationHandler {
                try await task.get()
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw failure(behind: error, of: collector)
        }
    }

    private func begin(_ request: ProviderRequest, _ collector: ResponseCollector) throws -> HTTPClient.Task<RawReply> {
        http.execute(
            request: try message(for: request), delegate: collector,
            deadline: .now() + .nanoseconds(timeout.wholeNanoseconds))
    }

    private func response(
        _ result: Result<RawReply, any Error>, to collector: ResponseCollector
    ) throws(CallFailure) -> RawReply {
        do {
            return try result.get()
        } catch {
            throw failure(behind: error, of: collector)
        }
    }

    private func failure(behind error: any Error, of collector: ResponseCollector) -> CallFailure {
        failure(for: problem(behind: error, after: collector.progress), partial: collector.partial)
    }

    /// - Parameter partial: the head of the response and the part of its body received before the failure; nil if no
    ///   head was received.
    private func failure(for problem: TransportProblem, partial: RawReply?) -> CallFailure {
        // An error status takes precedence over a truncated or late body.
        if let partial, !(200...299).contains(partial.status), problem != .cancelled, problem != .shutDown {
            return StatusFailure(partial, from: provider).failure
        }
        var failure = problem.failure(of: provider, timeout: timeout, maxBodyBytes: Self.maxBodyBytes)
        failure.quota = partial?.quota
        return failure
    }

    private func message(for request: ProviderRequest) throws -> HTTPClient.Request {
        var headers: HTTPHeaders = ["User-Agent": "iprecord", "Accept": "application/json", "Accept-Encoding": "gzip"]
        if request.body != nil { headers.add(name: "Content-Type", value: "application/json") }
        var server = provider.endpoint
        if provider.scheme == .http, let proxy = provider.proxy {
            // The connection leads to the proxy, and `AbsoluteFormHandler` adds the provider to the request's target.
            server = proxy.url.description
            headers.add(name: "Host", value: provider.url.authority)
            // A proxy must not answer from its cache: a record is as old as its call (RFC 9111 §5.2.1.4).
            headers.add(name: "Cache-Control", value: "no-cache")
            if let authorization = proxy.authorization {
                headers.add(name: "Proxy-Authorization", value: authorization.headerValue)
            }
        }
        return try HTTPClient.Request(
            url: "\(server)\(request.path)?\(request.query)",
            method: HTTPMethod(rawValue: request.method), headers: headers,
            body: request.body.map { .byteBuffer(ByteBuffer(bytes: $0)) })
    }
}

// MARK: - Proxy

extension HTTPClient.Configuration {
    /// The library sends `CONNECT` for every request to a proxy. Many proxies refuse `CONNECT` to the port of http, so
    /// requests for http are sent to the proxy in absolute form (RFC 9112 §3.2.2).
    fileprivate mutating func use(_ proxy: HTTPProxy, for provider: Provider) {
        switch provider.scheme {
        case .https:
            self.proxy = .server(
                host: proxy.host, port: proxy.port, authorization: proxy.authorization,
                connectHeaders: ["User-Agent": "iprecord"])
        case .http:
            http1_1ConnectionDebugInitializer = { AbsoluteFormHandler.add(to: $0, origin: provider.endpoint) }
        }
    }
}

extension HTTPProxy {
    fileprivate var authorization: HTTPClient.Authorization? {
        login.map { .basic(credentials: $0.encoded) }
    }
}

// MARK: - Collecting the response

/// A delegate that collects one response, and records when its request was sent.
private final class ResponseCollector: HTTPClientResponseDelegate {
    private struct State {
        var sentAt: Instant?
        var head: HTTPResponseHead?
        var body: [UInt8] = []
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Instant
    private let maxBodyBytes: Int

    init(now: @escaping @Sendable () -> Instant, maxBodyBytes: Int) {
        self.now = now
        self.maxBodyBytes = maxBodyBytes
    }

    var progress: ExchangeProgress {
        state.withLock { $0.head != nil ? .responding : $0.sentAt != nil ? .sent : .unsent }
    }

    func didSendRequestHead(task: HTTPClient.Task<RawReply>, _ head: HTTPRequestHead) {
        let moment = now()
        state.withLock { $0.sentAt = moment }
    }

    func didReceiveHead(task: HTTPClient.Task<RawReply>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        // If the body is compressed, it is longer than this after decompression.
        let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        state.withLock {
            $0.head = head
            $0.body.reserveCapacity(min(max(0, length), maxBodyBytes))
        }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<RawReply>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
        let fits = state.withLock { state in
            guard state.body.count + part.readableBytes <= maxBodyBytes else { return false }
            state.body.append(contentsOf: part.readableBytesView)
            return true
        }
        return fits
            ? task.eventLoop.makeSucceededVoidFuture()
            : task.eventLoop.makeFailedFuture(NIOTooManyBytesError(maxBytes: maxBodyBytes))
    }

    func didFinishRequest(task: HTTPClient.Task<RawReply>) throws -> RawReply {
        // The library calls this method only after the heads of the request and the response. Before that, there is
        // nothing to return.
        guard let whole = partial else { throw HTTPClientError.remoteConnectionClosed }
        return whole
    }

    /// The response received so far; nil before its head.
    var partial: RawReply? {
        let state = state.withLock { $0 }
        guard let sentAt = state.sentAt, let head = state.head else { return nil }
        return RawReply(
            status: Int(head.status.code), headers: head.headers.map { (name: $0.name, value: $0.value) },
            body: state.body, sentAt: sentAt)
    }
}

// MARK: - Errors

extension Client {
    private func problem(behind error: any Error, after progress: ExchangeProgress) -> TransportProblem {
        guard let error = error as? HTTPClientError else {
            return TransportProblem(behind: error, after: progress, isSecure: provider.scheme == .https)
        }
        return switch error {
        case .cancelled: .cancelled
        case .alreadyShutdown: .shutDown
        case .connectTimeout, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout, .tlsHandshakeTimeout:
            .connectTimeout
        case .proxyAuthenticationRequired: .proxyAuthentication
        case .invalidProxyResponse: .tunnelRefused
        case .deadlineExceeded, .readTimeout, .writeTimeout: progress == .unsent ? .connectTimeout : .deadline
        case .remoteConnectionClosed: progress == .responding ? .brokeOff : .closed
        case .uncleanShutdown where progress == .responding: .brokeOff
        case .uncleanShutdown: .tls("the connection was closed without a TLS close notification")
        default: .other(error.shortDescription)
        }
    }
}
