import NIOCore
import NIOPosix
import Varlink

/// An asynchronous connection to the daemon. At most one call is in progress at a time.
///
/// The socket is read only while a reply is awaited, so that the daemon does not send more than its client can take.
final class DaemonChannel: Sendable {
    private let channel: any Channel
    private let replies: NIOLoopBound<ReplyHandler>

    /// - Parameter path: the path of the daemon's socket.
    /// - Throws: `DaemonError.unreachable`.
    static func open(_ path: String, on group: any EventLoopGroup) async throws -> DaemonChannel {
        let bootstrap = ClientBootstrap(group: group)
            .channelOption(.autoRead, value: false)
            .connectTimeout(.seconds(5))
        do {
            return try await bootstrap.connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ReplyHandler()
                    try channel.pipeline.syncOperations.addHandler(handler)
                    return DaemonChannel(channel, NIOLoopBound(handler, eventLoop: channel.eventLoop))
                }
            }
        } catch {
            throw DaemonError.unreachable("\(path): \(error)")
        }
    }

    private init(_ channel: any Channel, _ replies: NIOLoopBound<ReplyHandler>) {
        self.channel = channel
        self.replies = replies
    }

    /// Whether the daemon has not closed the connection yet.
    var isOpen: Bool { channel.isActive }

    /// Sends an encoded call.
    func send(_ call: [UInt8]) async throws {
        do {
            try await channel.writeAndFlush(ByteBuffer(bytes: call)).get()
        } catch {
            throw DaemonError.unreachable("\(error)")
        }
    }

    /// Waits for the next reply. If the task is cancelled, the connection is closed.
    ///
    /// - Parameter limit: the time after which nil is returned.
    /// - Throws: `DaemonError`.
    func nextReply(within limit: TimeAmount) async throws -> ClientConversation.IncomingReply? {
        switch try await outcome(within: limit) {
        case .reply(let reply): return reply
        case .timeout: return nil
        case .closed: throw DaemonError.unreachable("the daemon closed the connection")
        }
    }

    private func outcome(within limit: TimeAmount) async throws -> ReplyHandler.Outcome {
        try await withTaskCancellationHandler {
            try await channel.eventLoop.flatSubmit { [replies, eventLoop = channel.eventLoop] in
                replies.value.next(within: limit, on: eventLoop)
            }.get()
        } onCancel: {
            close()
        }
    }

    func close() {
        // It fails only if the connection is closed already.
        channel.close(promise: nil)
    }
}

/// Decodes replies, on the event loop of the connection.
private final class ReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var conversation = ClientConversation(limitBytes: 64 * 1_024 * 1_024)
    private var context: ChannelHandlerContext?
    /// Fulfilled with the next outcome; nil if no reply is awaited.
    private var waiting: EventLoopPromise<Outcome>?
    private var timeout: Scheduled<Void>?
    private var isClosed = false

    enum Outcome: Sendable {
        case reply(ClientConversation.IncomingReply)
        case timeout
        case closed
    }

    func next(within limit: TimeAmount, on eventLoop: any EventLoop) -> EventLoopFuture<Outcome> {
        precondition(waiting == nil, "one reply is awaited at a time")
        let promise = eventLoop.makePromise(of: Outcome.self)
        waiting = promise
        deliver()
        // If the handler has no context any more, the connection is closed, and the promise has been fulfilled.
        guard waiting != nil, let context else { return promise.futureResult }
        timeout = eventLoop.assumeIsolated().scheduleTask(in: limit) { self.end(.success(.timeout)) }
        context.read()
        return promise.futureResult
    }

    /// Fulfils the promise, if a reply is complete or the connection has ended.
    private func deliver() {
        guard waiting != nil else { return }
        do {
            if let reply = try conversation.next() {
                end(.success(.reply(reply)))
            } else if isClosed {
                end(.success(.closed))
            }
        } catch {
            end(.failure(DaemonError.invalidReply))
        }
    }

    private func end(_ result: Result<Outcome, any Error>) {
        timeout?.cancel()
        timeout = nil
        let promise = waiting
        waiting = nil
        promise?.completeWith(result)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // The context and the handler refer to each other.
        self.context = nil
        isClosed = true
        deliver()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        conversation.receive(Self.unwrapInboundIn(data).readableBytesView)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        deliver()
        if waiting != nil { context.read() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        deliver()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
