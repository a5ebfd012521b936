import NIOCore
import NIOHTTP1

/// Changes the target of each request of a connection to the absolute form that a proxy requires (RFC 9112 §3.2.2):
/// `/batch?lang=en` becomes `http://ip-api.com/batch?lang=en`.
final class AbsoluteFormHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The scheme and authority of the provider, without a final `/`.
    private let origin: String

    init(origin: String) {
        self.origin = origin
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var part = unwrapOutboundIn(data)
        if case .head(var head) = part {
            head.uri = origin + head.uri
            part = .head(head)
        }
        context.write(wrapOutboundOut(part), promise: promise)
    }

    /// Adds a handler to the connection, behind the encoder of its requests.
    static func add(to channel: any Channel, origin: String) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
            try pipeline.addHandler(AbsoluteFormHandler(origin: origin), position: .after(encoder))
        }
    }
}
