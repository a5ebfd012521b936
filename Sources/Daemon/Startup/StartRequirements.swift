import Glibc
import Systemd

/// Everything outside the configuration file that is needed at startup: the files of the key and the proxy, the proxy
/// in the environment, the administrators' group, the store's directory and the socket's path. Nothing is created.
struct StartRequirements {
    /// The circumstances in which the requirements are checked.
    enum Occasion: Equatable {
        /// `iprecordd --check`. The service manager creates the system's directories when the service starts, so a
        /// missing directory is not an error yet.
        case check
        /// Startup. A socket from the service manager makes the configured path irrelevant.
        case start(hasActivatedSockets: Bool)
    }

    /// The unmet requirements, each as an error for the key that names the requirement.
    private(set) var violations: [ConfigurationError] = []
    /// Requirements that this process cannot check, each as text: files that only the daemon can access, and a failed
    /// group lookup.
    private(set) var unverified: [String] = []

    private let setup: Setup
    private let occasion: Occasion

    init(of setup: Setup, at occasion: Occasion) {
        self.setup = setup
        self.occasion = occasion
        checkKey()
        checkProxy()
        checkGroup()
        checkStore()
        checkSocket()
    }

    // MARK: Requirements

    private mutating func checkKey() {
        let path = setup.configuration.keyFile
        guard !path.isEmpty else { return }
        _ = secret(at: path, of: "provider.key-file", named: "key")
    }

    private mutating func checkProxy() {
        let (key, path) = ("provider.proxy-file", setup.configuration.proxyFile)
        guard path.isEmpty else {
            guard setup.configuration.proxy == .unset else {
                return violate(key, "proxy and proxy-file cannot be combined; remove one of them")
            }
            guard let text = secret(at: path, of: key, named: "proxy") else { return }
            do {
                _ = try Setup.proxy(text, in: path)
            } catch {
                violate(key, "\(error)")
            }
            return
        }
        // The environment of this process is not that of the service.
        guard occasion != .check || !setup.isOfService else { return }
        do {
            _ = try setup.proxyChoice()
        } catch {
            violate("provider.proxy", "\(error)")
        }
    }

    /// Returns the text of a file with a secret. If the file cannot be read, this is a violation, and the result is
    /// nil.
    private mutating func secret(at path: String, of key: String, named name: String) -> String? {
        do throws(SystemdError) {
            if let text = try Credentials.text(atPath: path) { return text }
            violate(key, "cannot read the \(name) from \(path): \(Self.text(ENOENT))")
        } catch {
            if case .unreadableCredential(_, let number) = error {
                deny(key, "read the \(name) from", path, errno: number)
            } else {
                violate(key, "\(error)")
            }
        }
        return nil
    }

    /// The default group may be missing: then only root and the daemon's own user may change the watch list.
    private mutating func checkGroup() {
        let key = "control.admin-group"
        guard setup.source.sets(key) else { return }
        let name = setup.configuration.adminGroup
        do throws(SystemError) {
            guard try PeerCredentials.group(named: name) == nil else { return }
            violate(key, "the group \"\(name)\" does not exist; create it with groupadd, or use another")
        } catch {
            // The daemon starts without the group, and logs a warning: a directory service may be late at boot.
            unverified.append("the group \"\(name)\": \(Self.text(error.errno))")
        }
    }

    private mutating func checkStore() {
        let (key, path) = ("store.path", setup.configuration.storePath)
        switch Self.kind(of: path) {
        case .success(S_IFDIR): violate(key, "\(path) is a directory; use the path of a file in it")
        case .success:
            if let number = Self.denial(path, R_OK | W_OK) { return deny(key, "write to", path, errno: number) }
            // SQLite keeps its log beside the database.
            checkDirectory(of: path, key, created: Places.system.state, own: setup.userDirectories?.state)
        case .failure(let error) where error.number == ENOENT:
            checkDirectory(of: path, key, created: Places.system.state, own: setup.userDirectories?.state)
        case .failure(let error): deny(key, "open", path, errno: error.number)
        }
    }

    private mutating func checkSocket() {
        guard occasion != .start(hasActivatedSockets: true) else { return }
        let (key, path) = ("control.socket", setup.configuration.socket)
        switch Self.kind(of: path) {
        // The daemon replaces a socket if no process is listening on it, and the socket may belong to the service
        // manager.
        case .success(S_IFSOCK): break
        case .success: violate(key, "\(path) is not a socket; move it away, or use another path")
        case .failure(let error) where error.number == ENOENT:
            checkDirectory(of: path, key, created: Places.system.runtime, own: setup.userDirectories?.runtime)
        case .failure(let error): deny(key, "listen on", path, errno: error.number)
        }
    }

    /// Checks that the directory of a file is writable, or will be created.
    ///
    /// - Parameters:
    ///   - created: the directory that the service manager creates before the service starts.
    ///   - own: the directory that the daemon creates.
    private mutating func checkDirectory(of path: String, _ key: String, created: String, own: String?) {
        let directory = Self.directory(of: path)
        switch Self.kind(of: directory) {
        case .success(S_IFDIR):
            if let number = Self.denial(directory, W_OK | X_OK) { deny(key, "write to", directory, errno: number) }
        case .success: violate(key, "\(directory) is not a directory")
        case .failure(let error) where error.number == ENOENT && directory == own:
            checkAncestor(of: directory, key)
        case .failure(let error) where error.number == ENOENT && directory == created && occasion == .check: break
        case .failure(let error) where error.number == ENOENT:
            violate(key, "the directory \(directory) does not exist; create it with the daemon's user as owner")
        case .failure(let error): deny(key, "open", directory, errno: error.number)
        }
    }

    /// Checks that a missing directory can be created, judging by the permissions of its nearest existing ancestor.
    private mutating func checkAncestor(of missing: String, _ key: String) {
        var directory = missing
        while directory != "/", case .failure(let error) = Self.kind(of: directory), error.number == ENOENT {
            directory = Self.directory(of: directory)
        }
        if let number = Self.denial(directory, W_OK | X_OK) {
            deny(key, "create \(missing) in", directory, errno: number)
        }
    }

    // MARK: Verdicts

    private mutating func violate(_ key: String, _ problem: String) {
        violations.append(setup.source.error(in: key, problem))
    }

    private mutating func deny(_ key: String, _ purpose: String, _ path: String, errno number: Int32) {
        switch number {
        case EACCES where occasion == .check && !setup.isConclusive(path):
            unverified.append(Setup.unverified(path))
        // A read-only file system may be due to a faulty disk, which may be repaired before a later start.
        case EROFS where !setup.source.sets(key): break
        case EROFS:
            violate(
                key,
                "cannot \(purpose) \(path): \(Self.text(number)); in a service, add it to ReadWritePaths="
            )
        default: violate(key, "cannot \(purpose) \(path): \(Self.text(number))")
        }
    }

    // MARK: Files

    private struct Failure: Error {
        let number: Int32
    }

    /// Returns the file type bits of the file at a path (inode(7)).
    private static func kind(of path: String) -> Result<mode_t, Failure> {
        var status = stat()
        return stat(path, &status) == 0 ? .success(status.st_mode & S_IFMT) : .failure(Failure(number: errno))
    }

    /// Returns the errno of an access to a file with a mode of faccessat(2); nil if the access is allowed.
    private static func denial(_ path: String, _ mode: Int32) -> Int32? {
        faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 ? nil : errno
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
