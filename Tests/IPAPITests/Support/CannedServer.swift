import Foundation

@testable import IPAPI

/// A server that answers the first request of each connection with the same bytes, and then closes the connection.
///
/// It sends responses that the mock provider, as a correct HTTP server, cannot.
final class CannedServer {
    private let listener: Loopback

    init(_ bytes: [UInt8]) throws {
        let listener = try Loopback(backlog: 16)
        self.listener = listener
        Thread.detachNewThread {
            while let connection = listener.next() {
                var request: [UInt8] = []
                while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n"), let more = connection.read() {
                    request += more
                }
                connection.send(bytes)
            }
        }
    }

    convenience init(_ text: String) throws {
        try self.init(Array(text.utf8))
    }

    /// Responds 200 with a gzip-compressed body.
    convenience init(gzip body: [UInt8]) throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
        try self.init(Array(head.utf8) + body)
    }

    deinit { listener.end() }

    func provider() throws -> Provider { try Provider(endpoint: "http://127.0.0.1:\(listener.port)") }
}
