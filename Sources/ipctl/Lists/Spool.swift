import Glibc

/// Messages on their way, in a temporary file without a name: it takes no memory, and goes with this program however that
/// ends.
final class Spool {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0

    private static let pieceBytes = 262_144

    init() throws(Complaint) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        // mkstemp(3) puts a name of its own in the place of the last six characters.
        var path = Array(
            ((folder.isEmpty ? "/tmp" : folder) + "/ipctl-" + String(repeating: "X", count: 6)).utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw Self.complaint() }
        unlink(path)
    }

    deinit { close(descriptor) }

    /// - Parameter message: without a NUL but the one at its end.
    func append(_ message: [UInt8]) throws(Complaint) {
        buffer += message
        if buffer.count >= Self.pieceBytes { try writeBuffer() }
    }

    /// From now on messages are read, from the first on.
    func rewind() throws(Complaint) {
        try writeBuffer()
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.complaint() }
    }

    /// The next message, with its NUL; nil at the end.
    func next() throws(Complaint) -> ArraySlice<UInt8>? {
        var scanned = start
        while true {
            if let end = buffer[scanned...].firstIndex(of: 0) {
                defer { start = end + 1 }
                return buffer[start...end]
            }
            scanned = buffer.count - start
            buffer.removeSubrange(..<start)
            start = 0
            guard try readMore() else { return nil }
        }
    }

    private func writeBuffer() throws(Complaint) {
        do throws(WriteFailure) {
            try buffer[...].write(to: descriptor)
        } catch {
            errno = error.number
            throw Self.complaint()
        }
        buffer = []
    }

    private func readMore() throws(Complaint) -> Bool {
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count > 0 { buffer += piece[..<count] }
            if count >= 0 { return count > 0 }
            if errno != EINTR { throw Self.complaint() }
        }
    }

    private static func complaint() -> Complaint {
        Complaint(
            status: .software, message: "no temporary file: \(String(cString: strerror(errno)))",
            advice: "TMPDIR says where it goes; /tmp otherwise.")
    }
}
