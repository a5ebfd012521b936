import Glibc

/// A file that is written without a name until it is whole, so that half a list never stands in the place of a whole one, and
/// nothing is left of it however the program ends.
///
/// What is no regular file (a device, a named pipe, a link) is written to as it is.
final class ReplacedFile {
    private enum Manner {
        case inPlace
        /// Has no name yet (open(2), O_TMPFILE).
        case unnamed
        /// Where the file system has no files without a name.
        case named
    }

    private let path: String
    private let temporary: String
    private let manner: Manner
    private let descriptor: Int32
    private var isFinished = false

    /// Linux's __O_TMPFILE and O_DIRECTORY, as O_TMPFILE is put together (fcntl.h); Swift does not see it.
    private static let withoutName = 0o20_000_000 | O_DIRECTORY

    init(_ path: String) throws(Complaint) {
        self.path = path
        // Nobody else's, as a name of its own may be another person's file.
        temporary = "\(path).\(getpid()).new"
        var status = stat()
        let isThere = lstat(path, &status) == 0
        guard !isThere || status.st_mode & S_IFMT == S_IFREG else {
            manner = .inPlace
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw Self.complaint(path, errno) }
            return
        }
        let unnamed = open(Self.folder(of: path), O_WRONLY | Self.withoutName | O_CLOEXEC, 0o666)
        if unnamed < 0, errno == EOPNOTSUPP || errno == EISDIR {
            manner = .named
            descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        } else {
            manner = .unnamed
            descriptor = unnamed
        }
        guard descriptor >= 0 else { throw Self.complaint(path, errno) }
        // Who may not read the old one may not read the new one.
        if isThere { fchmod(descriptor, status.st_mode & 0o777) }
    }

    deinit {
        close(descriptor)
        if manner == .named, !isFinished { unlink(temporary) }
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
        guard manner != .inPlace else { return }
        guard fsync(descriptor) == 0 else { throw Self.complaint(path, errno) }
        // A name cannot be given over another one: it gets one beside, and takes the other's place.
        try Signals.held { () throws(Complaint) in
            if manner == .unnamed {
                let link = linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, temporary, AT_SYMLINK_FOLLOW)
                guard link == 0 else { throw Self.complaint(path, errno) }
            }
            guard rename(temporary, path) == 0 else {
                let number = errno
                unlink(temporary)
                throw Self.complaint(path, number)
            }
        }
        isFinished = true
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func complaint(_ path: String, _ number: Int32) -> Complaint {
        Complaint(status: .badData, message: "cannot write \(path): \(String(cString: strerror(number)))")
    }
}
