import CLinux
import Glibc
import RecordKeeping

/// Asks the kernel for routes, one question at a time, on a socket of its own.
///
/// The kernel answers within the call that asks (some 10 µs), so there is nothing to wait for; a timeout guards against
/// a kernel's stand-in that does not.
struct RouteAsker {
    private let socket: NetlinkSocket
    private var sequence: UInt32 = 0

    init(_ socket: NetlinkSocket) {
        self.socket = socket
    }

    /// The socket for queries.
    static func openSocket() throws(NetlinkError) -> NetlinkSocket {
        let socket = try NetlinkSocket(isBlocking: true)
        try socket.connectToKernel()
        try socket.setReceiveTimeout(milliseconds: Self.timeoutMilliseconds)
        // A kernel before 4.12 says nothing in words, and is understood all the same.
        try? socket.askForExplanations()
        return socket
    }

    /// What the kernel says of the way to one address.
    mutating func ask(_ address: IPAddress) throws(NetlinkError) -> RouteAnswer {
        sequence &+= 1
        let question = RouteQuestion(address: address, sequence: sequence)
        try socket.send(question.bytes)
        var buffer = [UInt8](repeating: 0, count: Self.answerBytes)
        // What is left of a question that was given up comes first, and is no answer to this one.
        for _ in 0..<Self.datagramsPerQuestion {
            guard let (bytes, port) = try receive(into: &buffer) else { break }
            let datagram = buffer.prefix(min(bytes, buffer.count))
            if let answer = question.answer(in: datagram, from: port) { return answer }
        }
        throw .silent(milliseconds: Self.timeoutMilliseconds)
    }

    private func receive(into buffer: inout [UInt8]) throws(NetlinkError) -> (bytes: Int, port: UInt32)? {
        // withUnsafeMutableBytes does not carry a typed error through.
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(NetlinkError) in try socket.receive(into: bytes) }
        }
        return try result.get()
    }

    /// A thousand times what the slowest answer took, and short enough for the owner's queue to bear it once for each
    /// attempt of the ``RouteMonitor``.
    private static let timeoutMilliseconds = 1_000
    /// The kernel's answer fits one page or, where pages are large, 8 KiB (NLMSG_GOODSIZE).
    private static let answerBytes = 32_768
    /// Answers to earlier questions that were given up; more would be nobody's.
    private static let datagramsPerQuestion = 64
}
