import Foundation
import Glibc

/// Listens at a Unix socket and sends to whoever connects what it was told, one message for each that comes; then it ends
/// the connection, or with `staysOpen` waits for the client to do so.
///
/// It knows nothing of the protocol, so that a test can say every byte, nonsense included.
final class WireServer: Sendable {
    let path: String
    private let folder: TemporaryFolder
    private let listener: Int32
    private let script: Script

    /// - Parameters:
    ///   - folder: where the socket is made, so that there can be more beside it.
    ///   - name: the socket's, in that folder.
    convenience init(_ replies: [[UInt8]], in folder: TemporaryFolder? = nil, name: String = "control.sock") throws {
        try self.init(connections: [replies], in: folder, name: name)
    }

    /// - Parameter connections: what is said on the first connection, on the second …
    init(
        connections: [[[UInt8]]], staysOpen: Bool = false, in folder: TemporaryFolder? = nil,
        name: String = "control.sock"
    ) throws {
        let script = Script(connections, staysOpen: staysOpen)
        self.script = script
        self.folder = try folder ?? TemporaryFolder()
        path = self.folder.file(name)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(listener, 8) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL)
        }
        // The thread holds the script and not the server: the folder goes when the test has ended, whoever has not come.
        // Its descriptor is its own, for a number that was closed may soon be another file's.
        let entrance = dup(listener)
        Thread.detachNewThread { script.play(on: entrance) }
    }

    convenience init(_ replies: String...) throws {
        try self.init(replies.map { Array($0.utf8) + [0] })
    }

    /// The thread sees that nobody comes any more, and ends.
    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The calls that came on all connections, as JSON; only to be asked once the client has ended.
    var calls: [String] { callsOfConnections.flatMap { $0 } }

    var callsOfConnections: [[String]] { script.calls }

    /// Whether so many calls come within a time that is long for a test.
    func isCalled(_ count: Int) -> Bool { script.isCalled(count) }
}

/// What a server says on each connection, and what it has heard.
private final class Script: @unchecked Sendable {
    // `received` is only touched while `condition` is locked; the rest never changes.
    private let connections: [[[UInt8]]]
    private let staysOpen: Bool
    private let condition = NSCondition()
    private var received: [[String]]

    init(_ connections: [[[UInt8]]], staysOpen: Bool) {
        self.connections = connections
        self.staysOpen = staysOpen
        received = connections.map { _ in [] }
    }

    var calls: [[String]] {
        condition.lock()
        defer { condition.unlock() }
        return received
    }

    func isCalled(_ count: Int) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date(timeIntervalSinceNow: 60)
        while received.joined().count < count { guard condition.wait(until: deadline) else { return false } }
        return true
    }

    /// Serves who comes, until nobody is expected any more or the socket has been shut down.
    func play(on listener: Int32) {
        defer { close(listener) }
        for index in connections.indices {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            Thread.detachNewThread { [self] in serve(client, index) }
        }
    }

    private func serve(_ client: Int32, _ index: Int) {
        defer { close(client) }
        var (buffer, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        for reply in connections[index] {
            while !buffer.contains(0) {
                let count = read(client, &chunk, chunk.count)
                guard count > 0 else { return }
                buffer += chunk[..<count]
            }
            let call = buffer.prefix { $0 != 0 }
            condition.lock()
            received[index].append(String(decoding: call, as: UTF8.self))
            condition.broadcast()
            condition.unlock()
            buffer.removeFirst(call.count + 1)
            var sent = 0
            while sent < reply.count {
                let count = reply[sent...].withUnsafeBytes {
                    send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
        }
        while staysOpen, read(client, &chunk, chunk.count) > 0 {}
    }
}
