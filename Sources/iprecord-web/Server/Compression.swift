import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOHTTPTypesHTTP1

/// The compression of responses (RFC 9110, section 8.4), which makes a page of the watch list ten times smaller.
enum Compression {
    /// Minimum length of a compressed body in bytes. Shorter bodies fit into one packet.
    private static let minLength = 1_400
    private static let types = ["application/json", "application/openmetrics-text", "text/"]
    /// An internal header field that marks a response for compression; it is removed before the response is sent.
    private static let mark = HTTPField.Name("X-Iprecord-Compress")!

    /// Marks a response to be compressed if it is long text. Responses to HEAD have no body, and event streams have no
    /// known length.
    static func mark(_ response: inout Response, to request: Request) {
        guard let length = response.body.contentLength, length >= minLength, response.headers[.eTag] == nil,
            let type = response.headers[.contentType], types.contains(where: { type.hasPrefix($0) })
        else { return }
        response.headers[.vary] = "Accept-Encoding"
        if request.method == .get { response.headers[mark] = "yes" }
    }

    /// Compresses the marked responses on a connection for clients that accept it.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let compressor = HTTPResponseCompressor { head, _ in
            let isMarked = head.headers.contains(name: mark.rawName)
            head.headers.remove(name: mark.rawName)
            return isMarked ? .compressIfPossible : .doNotCompress
        }
        // The compressor works on NIOHTTP1's types, so it must be placed before the codec that converts them.
        let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.addHandler(compressor, position: .before(codec))
        try pipeline.addHandler(UnrequestedResponses(past: compressor), position: .before(codec))
    }
}

/// Routes responses without a request around the compressor, which expects a request before each response, and would
/// otherwise end the program. The response to a malformed request is one.
private final class UnrequestedResponses: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let compressor: HTTPResponseCompressor
    /// The requests that the compressor has seen and that have no response yet.
    private var requests = 0

    init(past compressor: HTTPResponseCompressor) {
        self.compressor = compressor
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { requests += 1 }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        guard requests == 0 else {
            requests -= 1
            return context.write(data, promise: promise)
        }
        do {
            try context.pipeline.syncOperations.context(handler: compressor).write(data, promise: promise)
        } catch {
            promise?.fail(error)
            context.close(promise: nil)
        }
    }
}
