import Foundation

/// A socket of AF_UNIX that is bound to a path, and closed together with the last reference to it.
final class UnixSocket {
    let descriptor: Int32

    init(_ kind: __socket_type, at path: String, isListening: Bool = false) throws {
        descriptor = socket(AF_UNIX, Int32(bitPattern: kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, result == 0, !isListening || listen(descriptor, 8) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL)
        }
    }

    deinit { close(descriptor) }

    /// Receives all datagrams that have arrived.
    func datagrams() -> [String] {
        var all: [String] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return all }
            all.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
    }
}
