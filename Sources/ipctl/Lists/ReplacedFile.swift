import Glibc

/// A file that is written beside the one that it replaces, so that half a list never stands in the place of a whole one.
///
/// What is no regular file (a device, a named pipe, a link) is written to as it is.
final class ReplacedFile {
    private let path: String
    /// Nil where it is written in place.
    private let temporary: String?
    private let descriptor: Int32
    private var isFinished = false

    init(_ path: String) throws(Complaint) {
        self.path = path
        var status = stat()
        let isThere = lstat(path, &status) == 0
        let isOther = isThere && status.st_mode & S_IFMT != S_IFREG
        temporary = isOther ? nil : path + ".new"
        descriptor = open(temporary ?? path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.complaint(path, errno) }
        // Who may not read the old one may not read the new one.
        if isThere, !isOther { fchmod(descriptor, status.st_mode & 0o777) }
    }

    deinit {
        close(descriptor)
        if let temporary, !isFinished { unlink(temporary) }
    }

    func write(_ bytes: [UInt8]) throws(Complaint) {
        do throws(WriteFailure) {
            try bytes[...].write(to: descriptor)
        } catch {
            throw Self.complaint(path, error.number)
        }
    }

    /// All is written: on disk, and under its name.
    func finish() throws(Complaint) {
        guard let temporary else { return }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw Self.complaint(path, errno) }
        isFinished = true
    }

    private static func complaint(_ path: String, _ number: Int32) -> Complaint {
        Complaint(status: .badData, message: "cannot write \(path): \(String(cString: strerror(number)))")
    }
}
