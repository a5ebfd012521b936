import Glibc

/// A file that is read a piece at a time, however long it is.
final class InputFile {
    /// For complaints.
    let name: String
    private let descriptor: Int32

    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws(Complaint) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable() }
    }

    deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

    /// - Returns: nothing at the end.
    func nextPiece() throws(Complaint) -> ArraySlice<UInt8> {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count >= 0 { return piece[..<count] }
            if errno != EINTR { throw unreadable() }
        }
    }

    private func unreadable() -> Complaint {
        Complaint(status: .badData, message: "cannot read \(name): \(String(cString: strerror(errno)))")
    }

    /// Spreadsheets and Windows put it in front of UTF-8.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
