import Foundation
import Glibc
import TestSupport

/// A socket at which a process listens that never sends a byte, like a daemon that hangs or does not start.
final class SilentListener {
    /// The degree of silence.
    enum Kind: String, CaseIterable {
        /// Connections wait in the backlog.
        case acceptsNothing
        /// The backlog is full, so that connect(2) waits.
        case backlogFull
        /// Connections are accepted, and calls are never answered.
        case acceptsOnly
    }

    let path: String
    private let folder: TemporaryFolder
    private let listener: Int32
    private var clients: [Int32] = []

    init(_ kind: Kind) throws {
        folder = try TemporaryFolder()
        path = folder.file("control.sock")
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard Self.call(bind, listener, path) == 0, listen(listener, kind == .backlogFull ? 0 : 8) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL)
        }
        if kind == .backlogFull { fillBacklog() }
        guard kind == .acceptsOnly else { return }
        let entrance = dup(listener)
        Thread.detachNewThread {
            defer { close(entrance) }
            // The descriptors stay open, and nothing is read from them.
            while accept(entrance, nil, nil) >= 0 {}
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        for client in clients + [listener] { close(client) }
    }

    /// Connects until the kernel accepts no more connections.
    private func fillBacklog() {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        while true {
            let client = socket(AF_UNIX, kind, 0)
            clients.append(client)
            guard Self.call(connect, client, path) == 0 else { return }
        }
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ path: String
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
