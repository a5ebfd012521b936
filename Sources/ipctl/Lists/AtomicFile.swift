import Glibc

/// A file that is replaced atomically: the new contents get the file's name only when they are complete and on disk.
///
/// Nothing is left behind if the program ends early. Devices, named pipes and links are written to directly.
final class AtomicFile {
    private enum Mode {
        case inPlace
        /// A file without a name (open(2), O_TMPFILE).
        case unnamed
        /// A file with a temporary name, for file systems without `O_TMPFILE`.
        case named
    }

    private let path: String
    /// The temporary path, in the same directory, at which the file is written or linked. It belongs to this process:
    /// existing files are not opened or replaced.
    private var temporary: String
    private let mode: Mode
    private let descriptor: Int32
    private var isFinished = false

    /// `O_TMPFILE`, which is not available in Swift: __O_TMPFILE and O_DIRECTORY (fcntl.h).
    private static let unnamedFlag = 0o20_000_000 | O_DIRECTORY

    /// - Parameter permissions: the permissions of a new file; nil for those that the umask allows.
    init(_ path: String, permissions: mode_t? = nil) throws(CommandError) {
        self.path = path
        temporary = Self.temporaryName(beside: path, attempt: 0)
        var status = stat()
        let isThere = lstat(path, &status) == 0
        guard !isThere || status.st_mode & S_IFMT == S_IFREG else {
            mode = .inPlace
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw Self.commandError(path, errno) }
            return
        }
        let unnamed = open(path.directory, O_WRONLY | Self.unnamedFlag | O_CLOEXEC, 0o666)
        if unnamed < 0, errno == EOPNOTSUPP || errno == EISDIR {
            mode = .named
            var (created, attempt) = (Int32(-1), 0)
            repeat {
                temporary = Self.temporaryName(beside: path, attempt: attempt)
                created = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
                attempt += 1
            } while created < 0 && errno == EEXIST && attempt < Self.maxAttempts
            descriptor = created
        } else {
            mode = .unnamed
            descriptor = unnamed
        }
        guard descriptor >= 0 else { throw Self.commandError(path, errno) }
        // The new file gets the permissions of the old file.
        if let permissions = isThere ? status.st_mode & 0o777 : permissions { fchmod(descriptor, permissions) }
    }

    deinit {
        // If the file could not be opened, the temporary name may belong to another user's file.
        guard descriptor >= 0 else { return }
        close(descriptor)
        if mode == .named, !isFinished { unlink(temporary) }
    }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        do throws(WriteFailure) {
            try bytes[...].write(to: descriptor)
        } catch {
            throw Self.commandError(path, error.number, .software)
        }
    }

    /// Writes the file to disk, and gives the file its final name.
    func finish() throws(CommandError) {
        guard mode != .inPlace else { return }
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw Self.commandError(path, errno, .software) }
        }
        // link(2) cannot replace a file, so the file gets a temporary name and is renamed.
        try EndingSignals.blocked { () throws(CommandError) in
            if mode == .unnamed { try link() }
            guard rename(temporary, path) == 0 else {
                let number = errno
                unlink(temporary)
                throw Self.commandError(path, number)
            }
        }
        isFinished = true
    }

    /// Gives the file its temporary name, which must not exist yet.
    private func link() throws(CommandError) {
        var attempt = 0
        while linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) != 0 {
            attempt += 1
            guard errno == EEXIST, attempt < Self.maxAttempts else { throw Self.commandError(path, errno) }
            temporary = Self.temporaryName(beside: path, attempt: attempt)
        }
    }

    /// Returns a temporary path. Later attempts use a random number, because a killed process with the same process id
    /// may have left a file behind.
    private static func temporaryName(beside path: String, attempt: Int) -> String {
        attempt == 0 ? "\(path).\(getpid()).new" : "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
    }

    /// Maximum number of names to try; a random name is almost certainly unused.
    private static let maxAttempts = 8

    /// - Parameter status: `.software` if the output could not be written, as for standard output. A full disk is such
    ///   a failure in every step: it is not a mistake in the path, and may be over when the command runs again.
    private static func commandError(_ path: String, _ number: Int32, _ status: ExitStatus = .badData) -> CommandError {
        let status = [ENOSPC, EDQUOT].contains(number) ? .software : status
        return CommandError(status: status, message: "cannot write \(path): \(String(cString: strerror(number)))")
    }
}
