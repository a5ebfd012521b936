import Foundation
import Glibc
import TestSupport

/// A mock daemon at a Unix socket. It sends one given message for each received one, then closes the connection, or
/// with `staysOpen` waits until the client closes it.
///
/// It does not know the protocol, so that a test controls every byte.
final class WireServer: Sendable {
    let path: String
    private let folder: TemporaryFolder
    private let listener: Int32
    private let script: Script

    /// - Parameters:
    ///   - folder: the directory of the socket, which may have other files.
    ///   - name: the name of the socket in the directory.
    convenience init(_ replies: [[UInt8]], in folder: TemporaryFolder? = nil, name: String = "control.sock") throws {
        try self.init(connections: [replies], in: folder, name: name)
    }

    /// - Parameter connections: the messages on the first connection, on the second …
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
        // The thread retains the script, not the server, so that the directory is removed after the test. It has its
        // own descriptor, because a closed one may be reused.
        let entrance = dup(listener)
        Thread.detachNewThread { script.play(on: entrance) }
    }

    convenience init(_ replies: String...) throws {
        try self.init(replies.map { Array($0.utf8) + [0] })
    }

    /// Shuts down the socket, which ends the thread.
    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The calls on all connections as JSON, complete once the client has ended.
    var calls: [String] { callsOfConnections.flatMap { $0 } }

    var callsOfConnections: [[String]] { script.calls }

    /// Waits for a number of calls, and returns false after a long time.
    func isCalled(_ count: Int) -> Bool { script.isCalled(count) }
}

/// The messages to send on each connection, and the received calls.
private final class Script: @unchecked Sendable {
    // `received` is accessed only while `condition` is locked; the rest is constant.
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

    /// Serves the expected connections, or ends when the socket is shut down.
    func play(on listener: Int32) {
        defer { close(listener) }
        for index in connections.indices {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            // Refuses later connections, as after the end of a daemon, before this one can be closed. Otherwise a
            // client that reconnects at once could be queued, and would wait forever.
            if index == connections.indices.last { shutdown(listener, Int32(SHUT_RDWR)) }
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
