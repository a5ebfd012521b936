import CLinux
import Glibc

/// A blocking client of a Unix socket, whose operations time out after two minutes.
///
/// One thread may send while another receives.
final class UnixClient: @unchecked Sendable {
    // Sending uses only the descriptor, which never changes. The rest belongs to the receiving thread.
    struct Failed: Error, CustomStringConvertible {
        let what: String
        let errno: Int32
        var description: String { "\(what): \(String(cString: strerror(errno)))" }
    }

    let descriptor: Int32
    private var received: [UInt8] = []
    /// The number of received bytes in which no message ends.
    private var searched = 0
    private var isClosed = false

    init(to path: String) throws(Failed) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard UnixAddress.of(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            // All properties are initialized, so `deinit` closes the descriptor. A second close could close a
            // descriptor that another test has opened since.
            throw Failed(what: "connect to \(path)", errno: errno)
        }
    }

    deinit { close() }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        Glibc.close(descriptor)
    }

    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sends calls, each as the text of its message.
    func send(_ messages: String...) throws(Failed) {
        try send(bytes: messages.flatMap { Array($0.utf8) + [0] })
    }

    func send(bytes: [UInt8]) throws(Failed) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failed(what: "send", errno: errno) }
            sent += count
        }
    }

    /// Returns the next message; nil at the end of the stream.
    func message() throws(Failed) -> String? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            // Each byte is searched once, because a message may be megabytes long.
            if let end = received[searched...].firstIndex(of: 0) {
                searched = 0
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            searched = received.count
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                received += chunk[..<count]
            } else if count == 0 {
                return nil
            } else {
                throw Failed(what: "receive", errno: errno)
            }
        }
    }

    /// Returns all messages up to the end of the stream, or until the connection is reset.
    func messagesToTheEnd() throws(Failed) -> [String] {
        var messages: [String] = []
        do {
            while let message = try message() { messages.append(message) }
        } catch  where error.errno == ECONNRESET {
            return messages
        }
        return messages
    }
}

/// Unix socket addresses.
enum UnixAddress {
    static func of<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// The path to which a socket is bound; nil if it has none, or if the descriptor is not a Unix socket.
    static func name(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        return withUnsafeBytes(of: &address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Returns a socket that is bound to a path, and listens if a backlog is given.
    static func bound(_ path: String, backlog: Int32? = nil) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let result = of(path) { bind(descriptor, $0, $1) }
        precondition(result == 0, "bind \(path): errno \(errno)")
        if let backlog { listen(descriptor, backlog) }
        return descriptor
    }
}
