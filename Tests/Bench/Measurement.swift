import Glibc

/// A run over several connections, each with a number of pipelined requests. When all of them are answered, the
/// connection sends as many again.
///
/// All replies must have the length and the last byte of the first one; any other reply ends the run with an error.
struct Measurement {
    private struct Connection {
        let descriptor: CInt
        /// Bytes of pending replies that have not been received.
        var missing = 0
        var sentAt = ContinuousClock.now
    }

    /// The result as a line of JSON: replies per second, percentiles of the response time in microseconds, and bytes
    /// per reply.
    struct Result: CustomStringConvertible {
        let rate: Double
        let p50: Double
        let p99: Double
        let bytes: Int

        var description: String {
            #"{"rate":\#(rate),"p50":\#(p50),"p99":\#(p99),"bytes":\#(bytes)}"#
        }
    }

    private let batch: [UInt8]
    private let pipelined: Int
    private let replyBytes: Int
    private let lastByte: UInt8
    private var connections: [Connection]
    private var waiting: [pollfd]
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    /// The response times of all batches.
    private var times: [Duration] = []

    /// Connects, and determines the length of a reply.
    init(path: String, request: [UInt8], connections count: Int, pipelined: Int) throws {
        batch = Array(repeatElement(request, count: pipelined).joined())
        self.pipelined = pipelined
        connections = try (0..<count).map { _ in Connection(descriptor: try Self.connect(to: path)) }
        (replyBytes, lastByte) = try Self.reply(to: request, on: connections[0].descriptor)
        waiting = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    }

    private static func connect(to path: String) throws -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(of: "socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError("socket path too long: \(path)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw SystemError(of: path) }
        return descriptor
    }

    /// Returns the length and the last byte of a reply, which ends when no data arrives for 200 ms.
    private static func reply(to request: [UInt8], on descriptor: CInt) throws -> (Int, UInt8) {
        try send(request, on: descriptor)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var (count, last) = (0, UInt8(0))
        var wait = CInt(5_000)
        while true {
            var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&asked, 1, wait) > 0 else { break }
            let more = read(descriptor, &buffer, buffer.count)
            guard more > 0 else { throw SystemError("the server closed the connection") }
            (count, last, wait) = (count + more, buffer[more - 1], 200)
        }
        guard count > 0 else { throw SystemError("no reply within 5 s") }
        return (count, last)
    }

    private static func send(_ bytes: [UInt8], on descriptor: CInt) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, 0) }
            guard count > 0 else { throw SystemError(of: "send") }
            sent += count
        }
    }

    /// Measures for a time, after a warm-up of a tenth of it.
    mutating func run(for time: Duration) throws -> Result {
        times.reserveCapacity(1 << 22)
        // The warm-up is not measured.
        let begin = ContinuousClock.now + time / 10
        let end = begin + time
        var now = ContinuousClock.now
        var counted = 0
        for number in connections.indices { try send(on: number, at: now) }
        while now < end {
            guard poll(&waiting, nfds_t(waiting.count), 1_000) > 0 else { throw SystemError("no reply within 1 s") }
            for number in waiting.indices where waiting[number].revents != 0 {
                guard try receive(on: number) else { continue }
                now = .now
                if now >= begin {
                    times.append(now - connections[number].sentAt)
                    counted += pipelined
                }
                try send(on: number, at: now)
            }
        }
        times.sort()
        guard !times.isEmpty else { throw SystemError("no replies during the measurement") }
        func microseconds(_ share: Double) -> Double {
            let time = times[min(times.count - 1, Int(Double(times.count) * share))].components
            return Double(time.seconds) * 1e6 + Double(time.attoseconds) / 1e12
        }
        let seconds = Double((now - begin).components.seconds) + Double((now - begin).components.attoseconds) / 1e18
        return Result(
            rate: Double(counted) / seconds, p50: microseconds(0.5), p99: microseconds(0.99), bytes: replyBytes)
    }

    private mutating func send(on number: Int, at now: ContinuousClock.Instant) throws {
        connections[number].missing = replyBytes * pipelined
        connections[number].sentAt = now
        try Self.send(batch, on: connections[number].descriptor)
    }

    /// - Returns: whether all pending replies of the connection have arrived.
    private mutating func receive(on number: Int) throws -> Bool {
        let count = recv(connections[number].descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw SystemError("the server closed the connection") }
        connections[number].missing -= count
        guard connections[number].missing <= 0 else { return false }
        guard connections[number].missing == 0, buffer[count - 1] == lastByte else {
            throw SystemError("a reply differs from the first in length or last byte")
        }
        return true
    }
}
