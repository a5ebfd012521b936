import Foundation
import Glibc
import TestSupport

/// A mock daemon for any number of clients. It replies by method, and sends the test's events to listeners.
final class LiveServer: @unchecked Sendable {
    // All variables are accessed only while `condition` is locked.
    let path: String
    private let folder: TemporaryFolder
    private let listener: Int32
    private let condition = NSCondition()
    private let replies: [String: [UInt8]]
    private var clients: Set<Int32> = []
    private var listeners: Set<Int32> = []
    private var received: [String] = []
    private var hasStopped = false

    /// - Parameters:
    ///   - replies: the replies by method; other methods get no reply.
    ///   - folder: the directory of the socket; it replaces the socket of a server that has stopped.
    init(_ replies: [String: [UInt8]], in folder: TemporaryFolder? = nil) throws {
        self.folder = try folder ?? TemporaryFolder()
        path = self.folder.file("control.sock")
        unlink(path)
        self.replies = replies
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
        // The thread does not retain the server, so that the directory is removed after the test. It has its own
        // descriptor, because a closed one may be reused.
        let entrance = dup(listener)
        Thread.detachNewThread { [weak self] in
            defer { close(entrance) }
            while true {
                let client = accept(entrance, nil, nil)
                guard client >= 0 else { return }
                self?.welcome(client) ?? Self.turnAway(client)
            }
        }
    }

    deinit {
        stop()
        close(listener)
    }

    /// The names of the called methods, in order.
    var calls: [String] { locked { received } }

    /// The number of listeners so far.
    var listenersSoFar: Int { locked { received.count { $0 == "Monitor" } } }

    /// Sends a message to all listeners, once there are any.
    ///
    /// - Parameter count: the number of listeners to wait for.
    /// - Returns: false if there are no listeners in time.
    func publish(_ message: [UInt8], afterListeners count: Int = 1) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date(timeIntervalSinceNow: 60)
        while listeners.isEmpty || received.count(where: { $0 == "Monitor" }) < count {
            guard condition.wait(until: deadline) else { return false }
        }
        for client in listeners { send(message, to: client) }
        return true
    }

    /// Stops, as a daemon does.
    func stop() {
        locked {
            guard !hasStopped else { return }
            hasStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for client in clients { shutdown(client, Int32(SHUT_RDWR)) }
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    private func welcome(_ client: Int32) {
        locked {
            clients.insert(client)
            if hasStopped { shutdown(client, Int32(SHUT_RDWR)) }
        }
        Thread.detachNewThread { [self] in serve(client) }
    }

    private static func turnAway(_ client: Int32) { close(client) }

    private func serve(_ client: Int32) {
        var (buffer, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            while let end = buffer.firstIndex(of: 0) {
                take(String(decoding: buffer[..<end], as: UTF8.self), from: client)
                buffer.removeSubrange(...end)
            }
            let count = read(client, &chunk, chunk.count)
            guard count > 0 else { break }
            buffer += chunk[..<count]
        }
        locked {
            clients.remove(client)
            listeners.remove(client)
            close(client)
        }
    }

    private func take(_ call: String, from client: Int32) {
        guard let method = call.firstMatch(of: /"method":"io\.iprecord\.Control\.(\w+)"/).map({ String($0.1) }) else {
            return
        }
        locked {
            received.append(method)
            if method == "Monitor" { listeners.insert(client) }
            condition.broadcast()
            if let reply = replies[method] { send(reply, to: client) }
        }
    }

    /// Sends a message, which fits into a socket's buffer.
    private func send(_ message: [UInt8], to client: Int32) {
        _ = message.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}
