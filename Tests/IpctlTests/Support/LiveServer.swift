import Foundation
import Glibc

/// A daemon for as many clients as come: it answers each call by its method, and tells listeners what the test says.
final class LiveServer: @unchecked Sendable {
    // All that changes is only touched while `condition` is locked.
    let path: String
    private let folder: TemporaryFolder
    private let listener: Int32
    private let condition = NSCondition()
    private let replies: [String: [UInt8]]
    private var clients: Set<Int32> = []
    private var listeners: Set<Int32> = []
    private var received: [String] = []
    private var hasStopped = false

    /// - Parameter replies: by the method's name; a method that has none is not answered.
    init(_ replies: [String: [UInt8]]) throws {
        folder = try TemporaryFolder()
        path = folder.file("control.sock")
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
        // The thread does not hold the server, so that the folder goes when the test has ended. Its descriptor is its own, for
        // a number that was closed may soon be another file's.
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

    /// The names of the methods that were called, in their order.
    var calls: [String] { locked { received } }

    /// How many have come to listen, whether they still do or not.
    var listenersSoFar: Int { locked { received.count { $0 == "Monitor" } } }

    /// Sends this to everybody who listens, once there is somebody.
    ///
    /// - Parameter count: not before so many have come to listen.
    /// - Returns: false where nobody came.
    func tell(_ message: [UInt8], afterListeners count: Int = 1) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date(timeIntervalSinceNow: 20)
        while listeners.isEmpty || received.count(where: { $0 == "Monitor" }) < count {
            guard condition.wait(until: deadline) else { return false }
        }
        for client in listeners { send(message, to: client) }
        return true
    }

    /// Ends, as a daemon does that is stopped.
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

    /// What a test sends fits into a socket's buffer.
    private func send(_ message: [UInt8], to client: Int32) {
        _ = message.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}
