import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client takes too long to send a request, or to read a response.
final class RequestTimeout: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let first: TimeAmount
    private let next: TimeAmount
    private var timeout: Scheduled<Void>?
    /// Closes the connection while the client reads nothing.
    private var stall: Scheduled<Void>?
    /// The number of complete requests without a complete response: a client may send several at once.
    private var open = 0

    /// - Parameters:
    ///   - first: the time in which the client must send its first request.
    ///   - next: the time after a response in which the client must send another request, and the time in which it
    ///     must read a part of a response.
    init(first: TimeAmount, next: TimeAmount) {
        self.first = first
        self.next = next
    }

    func channelActive(context: ChannelHandlerContext) {
        start(first, context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = Self.unwrapInboundIn(data) {
            open += 1
            stop()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = Self.unwrapOutboundIn(data) {
            open -= 1
            if open == 0 { start(next, context) }
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall =
            context.channel.isWritable
            ? nil : context.eventLoop.assumeIsolated().scheduleTask(in: next) { context.close(promise: nil) }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        stall?.cancel()
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
