import CLinux
import Glibc
import RecordKeeping

/// A client for route queries to the kernel, one at a time, with a dedicated socket.
///
/// The kernel answers during the system call that sends the query, within about 10 µs. A timeout protects against a
/// substitute kernel that does not answer.
struct RouteClient {
    let socket: NetlinkSocket
    private(set) var sequence: UInt32 = 0

    /// Queries the route to one address. Blocks for at most `timeoutMilliseconds` per datagram.
    mutating func ask(_ address: IPAddress) throws(NetlinkError) -> RouteAnswer {
        sequence &+= 1
        let question = RouteQuery(address: address, sequence: sequence)
        try socket.send(question.bytes)
        var buffer = [UInt8](repeating: 0, count: Self.answerBytes)
        // Late replies to abandoned queries come first, and do not answer this query.
        for _ in 0..<Self.datagramsPerQuestion {
            guard let (bytes, port) = try receive(into: &buffer) else { break }
            let datagram = buffer.prefix(min(bytes, buffer.count))
            if let answer = question.answer(in: datagram, from: port) { return answer }
        }
        throw .silent(milliseconds: Self.timeoutMilliseconds)
    }

    private func receive(into buffer: inout [UInt8]) throws(NetlinkError) -> (bytes: Int, port: UInt32)? {
        // `withUnsafeMutableBytes` does not preserve the type of a thrown error.
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(NetlinkError) in try socket.receive(into: bytes) }
        }
        return try result.get()
    }

    /// The timeout: a thousand times the slowest reply observed, and short enough that each attempt of the
    /// ``RouteMonitor`` may block its owner's queue once.
    static let timeoutMilliseconds = 1_000
    /// Size of the receive buffer. A reply is at most one page long, or 8 KiB if pages are larger (NLMSG_GOODSIZE).
    private static let answerBytes = 32_768
    /// Maximum number of datagrams that are read per query, to skip late replies to abandoned queries.
    private static let datagramsPerQuestion = 64
}
