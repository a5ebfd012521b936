import Foundation
import Glibc

/// Listens at a Unix socket and sends to whoever connects what it was told, one message for each that comes; then it ends
/// the connection, or with `staysOpen` waits for the client to do so.
///
/// It knows nothing of the protocol, so that a test can say every byte, nonsense included.
final class WireServer: @unchecked Sendable {
    // `received` is only touched while `condition` is locked; the rest never changes.
    let path: String
    private let folder: TemporaryFolder
    private let listener: Int32
    private let condition = NSCondition()
    private var received: [[String]]

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
        received = connections.map { _ in [] }
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
        Thread.detachNewThread { [self] in
            for (index, replies) in connections.enumerated() {
                var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 20_000) == 1 else { return }
                let client = accept(listener, nil, nil)
                Thread.detachNewThread { [self] in serve(client, index, replies, staysOpen: staysOpen) }
            }
        }
    }

    convenience init(_ replies: String...) throws {
        try self.init(replies.map { Array($0.utf8) + [0] })
    }

    deinit { close(listener) }

    /// The calls that came on all connections, as JSON; only to be asked once the client has ended.
    var calls: [String] { callsOfConnections.flatMap { $0 } }

    var callsOfConnections: [[String]] {
        condition.lock()
        defer { condition.unlock() }
        return received
    }

    private func serve(_ client: Int32, _ index: Int, _ replies: [[UInt8]], staysOpen: Bool) {
        defer { close(client) }
        var (buffer, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        for reply in replies {
            while !buffer.contains(0) {
                let count = read(client, &chunk, chunk.count)
                guard count > 0 else { return }
                buffer += chunk[..<count]
            }
            let call = buffer.prefix { $0 != 0 }
            condition.lock()
            received[index].append(String(decoding: call, as: UTF8.self))
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
