import Foundation
import Synchronization

@testable import IPAPI

/// A server that answers the first request of each connection with the same bytes, and then closes the connection.
///
/// It sends responses that the mock provider, as a correct HTTP server, cannot.
final class CannedServer {
    private let listener: Loopback
    private let received = Requests()

    /// The requests received so far.
    private final class Requests: Sendable {
        let texts = Mutex<[String]>([])
    }

    init(_ bytes: [UInt8]) throws {
        let listener = try Loopback(backlog: 16)
        self.listener = listener
        let received = received
        Thread.detachNewThread {
            while let connection = listener.next() {
                var request: [UInt8] = []
                while !Self.isComplete(request), let more = connection.read() { request += more }
                received.texts.withLock { $0.append(String(decoding: request, as: UTF8.self)) }
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

    /// The requests that were answered, each with its body, in order.
    var requests: [String] { received.texts.withLock { $0 } }

    var endpoint: String { "http://127.0.0.1:\(listener.port)" }

    func provider() throws -> Provider { try Provider(endpoint: endpoint) }

    /// Whether a request has arrived with its body. If a part of it were unread when the connection is closed, the
    /// kernel would reset the connection, and the client could lose the response.
    private static func isComplete(_ request: [UInt8]) -> Bool {
        let parts = String(decoding: request, as: UTF8.self)
            .split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let lines = parts[0].lowercased().split(separator: "\r\n")
        let length = lines.compactMap { line in line.firstMatch(of: /^content-length: *(\d+)/).map { Int($0.1) ?? 0 } }
        return parts[1].utf8.count >= length.first ?? 0
    }
}
