import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOHTTPTypesHTTP1

/// The compression of responses (RFC 9110, section 8.4), which makes a page of the watch list ten times smaller.
enum Compression {
    /// Bodies below this length in bytes fit into a packet.
    private static let minLength = 1_400
    private static let types = ["application/json", "text/"]
    /// Marks a response that is to be compressed. It is never sent.
    private static let mark = HTTPField.Name("X-Iprecord-Compress")!

    /// Marks a response to be compressed if it is long text. The response to HEAD has no body, and an event stream no
    /// length.
    static func mark(_ response: inout Response, to request: Request) {
        guard request.method == .get, let length = response.body.contentLength, length >= minLength,
            response.headers[.eTag] == nil, let type = response.headers[.contentType],
            types.contains(where: { type.hasPrefix($0) })
        else { return }
        response.headers[mark] = "yes"
        response.headers[.vary] = "Accept-Encoding"
    }

    /// Compresses the marked responses on a connection for clients that accept it.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let compressor = HTTPResponseCompressor { head, _ in
            let isMarked = head.headers.contains(name: mark.rawName)
            head.headers.remove(name: mark.rawName)
            return isMarked ? .compressIfPossible : .doNotCompress
        }
        // The compressor reads the types of NIOHTTP1, which this codec converts.
        let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.addHandler(compressor, position: .before(codec))
    }
}
