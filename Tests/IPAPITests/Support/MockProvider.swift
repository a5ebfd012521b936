import Foundation
import RecordKeeping
import TestSupport

@testable import IPAPI

/// A running `ip-api-stand-in`, which is terminated with the last reference to this object.
final class MockProvider {
    let endpoint: String
    let process: ChildProcess

    struct NotStarted: Error {}

    init(_ options: String..., bind: String = "127.0.0.1:0") throws {
        let output = try PrivatePipe()
        // Error messages of the program would only clutter the output of the tests.
        process = try ChildProcess(
            [BuiltProgram.path("ip-api-stand-in"), "--bind", bind] + options, output: output.writing)
        try output.writing.close()
        // Read up to the end of the line, or of the program.
        var line: [UInt8] = []
        while let byte = try output.reading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        let prefix = "listening on "
        guard case let text = String(decoding: line, as: UTF8.self), text.hasPrefix(prefix) else { throw NotStarted() }
        endpoint = String(text.dropFirst(prefix.count))
    }

    deinit {
        process.signal(SIGTERM)
        process.awaitEnd()
    }

    func provider(key: String? = nil) throws -> Provider {
        try Provider(endpoint: endpoint, key: key)
    }

    // MARK: Administration

    struct Seen: Decodable {
        var number: Int
        var at: Int64
        var endpoint: String
        var addresses: [String]
        var status: Int?
        var remaining: Int?
    }

    struct State: Decodable {
        struct Window: Decodable {
            var limit: Int
            var remaining: Int
        }
        struct Fault: Decodable {
            var name: String
            var callsLeft: Int?
        }
        var calls: Int
        var connections: Int
        var offences: Int
        var single: Window?
        var batch: Window?
        var faults: [Fault]
    }

    func calls() throws -> [Seen] {
        try JSONDecoder().decode([Seen].self, from: Data(try administer("GET", "calls").utf8))
    }

    func state() throws -> State {
        try JSONDecoder().decode(State.self, from: Data(try administer("GET", "state").utf8))
    }

    func inject(_ fault: String, count: Int? = nil) throws {
        try administer("POST", "fault?name=\(fault)\(count.map { "&count=\($0)" } ?? "")")
    }

    /// Sends an administrative request and returns the body of its response.
    @discardableResult
    func administer(_ method: String, _ target: String) throws -> String {
        let provider = try self.provider()
        let socket = try Loopback(connectedTo: provider.url.effectivePort, isIPv6: provider.host.contains(":"))
        socket.send(Array("\(method) /_admin/\(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8))
        let reply = String(decoding: socket.readToEnd(), as: UTF8.self)
        return String(reply.split(separator: "\r\n\r\n", maxSplits: 1).last ?? "")
    }
}
