import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client takes too long to send a request.
final class RequestTimeout: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let first: TimeAmount
    private let next: TimeAmount
    private var timeout: Scheduled<Void>?

    /// - Parameters:
    ///   - first: the time in which the client must send its first request.
    ///   - next: the time after a response in which the client must send another request.
    init(first: TimeAmount, next: TimeAmount) {
        self.first = first
        self.next = next
    }

    func channelActive(context: ChannelHandlerContext) {
        start(first, context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = Self.unwrapInboundIn(data) { stop() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = Self.unwrapOutboundIn(data) { start(next, context) }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    private func start(_ limit: TimeAmount, _ context: ChannelHandlerContext) {
        stop()
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
    }

    private func stop() {
        timeout?.cancel()
        timeout = nil
    }
}
