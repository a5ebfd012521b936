import Glibc

/// Checks that the database exists, is readable by the daemon, and has room to grow.
struct StoreCheck: Check {
    static let name = "store"

    let target: DoctorTarget
    let path: String
    /// Whether the daemon has the database open.
    let isOpen: Bool
    /// The error that the daemon returned when it read the store; nil if it could read the store, or if this is
    /// unknown.
    var storeError: String?
    /// The reason why the daemon cannot write the store; nil if it can write it, or if no daemon replies.
    var writeError: String?
    /// Returns the properties of a directory's file system.
    var space: (_ directory: String) -> FileSystem = { FileSystem(of: $0) }
    /// Returns the names of the files in a directory.
    var names: (_ directory: String) -> DirectoryNames = { DirectoryNames(of: $0) }

    private static let mebibyte: UInt64 = 1_048_576
    /// The minimum free space. The write-ahead log is about 4 MiB long, and is copied into the database in one step.
    private static let minFreeBytes = 16 * mebibyte
    private static let lowFreeBytes = 100 * mebibyte

    func findings() -> [Finding] {
        var findings: [Finding] = []
        if let writeError {
            findings += bad("the daemon cannot write \(path): \(writeError)", remedy: remedy(for: writeError))
        }
        if let storeError {
            findings += bad("the daemon cannot read \(path): \(storeError)", remedy: remedy(for: storeError))
        }
        if isOpen, case .missing(ENOENT) = FileStatus(path), case .found(let directory) = FileStatus(path.directory),
            ProcessCredentials.own.hasPermission(1, directory)
        {
            findings += bad(
                "\(path) was deleted, but the daemon still has it open: changes are lost when the daemon stops",
                remedy: "ipctl export >list.jsonl; \(target.restart); ipctl import list.jsonl")
        }
        if !isOpen {
            if case .found = FileStatus("\(path).ready") {
                findings += bad(
                    "a recovery or restore of \(path) was interrupted, so the daemon does not start",
                    remedy: recover)
            } else if let file = unreadableFile {
                findings += file
            }
        }
        let names = names(path.directory)
        if case .known(let names) = names { findings += previousCopy(in: names) }
        // The daemon's own error is more reliable than the free space.
        if writeError == nil { findings += room }
        if case .unknown(EACCES) = names { return withoutCopyCheck(findings) }
        return findings
    }

    /// Returns the findings for a user who cannot list the directory, which may contain the copy of a recovered or
    /// restored database. The database is not reported as good.
    private func withoutCopyCheck(_ findings: [Finding]) -> [Finding] {
        let known = findings.filter { $0.state == .ok }.map { "\($0.message); " }.joined()
        let text = "\(known)not checked if it was recovered or restored: you cannot list \(path.directory)"
        return findings.filter { $0.state != .ok } + skipped(text, remedy: DoctorTarget.rootRemedy)
    }

    /// The finding for a file that is obviously not a database. The daemon checks the whole file when it starts.
    private var unreadableFile: [Finding]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.magic.count)
        let count = read(descriptor, &bytes, bytes.count)
        // The daemon creates its database in an empty file.
        guard count > 0, Array(bytes.prefix(count)) != Self.magic else { return nil }
        return bad(
            "\(path) is not an SQLite database, or is damaged",
            remedy: recoverOrRestore)
    }

    // MARK: Remedies

    /// Returns the remedy for an error that the daemon reports.
    private func remedy(for message: String) -> String {
        switch StoreFault(message, on: space(path.directory), minFreeBytes: Self.minFreeBytes) {
        case .fullDisk: "\(freeSpace), or see \(target.log)"
        case .readOnly:
            "\(remount). If it is mounted read-write, check the owner of the files: ls -l \(path.directory.shellWord)"
        case .diskError:
            "The disk may be failing. To see the kernel's errors: \(kernelLog); to find the device: \(findDevice). "
                + "To save the watch list: ipctl export >list.jsonl"
        case .damage: recoverOrRestore
        case .unknown: "See \(target.log)"
        }
    }

    private var recover: String { stop + command("--recover") }

    private var recoverOrRestore: String { "\(recover). To list the backups instead: \(command("--restore"))" }

    private var findDevice: String { "findmnt -T \(path.directory.shellWord)" }

    private var kernelLog: String { DoctorTarget.asRoot("journalctl -k -p warning -e") }

    /// The remedy for a file system that is mounted read-only, often by the kernel after an error of the disk.
    private var remount: String {
        "To find the cause: \(findDevice); \(kernelLog). Then: "
            + DoctorTarget.asRoot("mount -o remount,rw MOUNTPOINT")
    }

    /// The command that stops the service, with a separator for the next command; empty if the daemon is not a service.
    private var stop: String {
        let units = "iprecordd.socket iprecordd.service"
        return target.isService ? "\(DoctorTarget.asRoot("systemctl stop \(units)")); " : ""
    }

    /// Returns a command line of `iprecordd` with an option and the daemon's configuration file.
    private func command(_ option: String) -> String {
        let file = target.configurationFile.map { " --config \($0.shellWord)" } ?? ""
        let command = "iprecordd\(file) \(option)"
        return target.isService ? DoctorTarget.asRoot(command) : command
    }

    /// The first bytes of every SQLite database (sqlite.org/fileformat2.html, "The Database Header").
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Returns the finding for the previous contents of a recovered or restored database. The newest copy is reported.
    ///
    /// - Parameter names: the files in the directory of the database.
    private func previousCopy(in names: [String]) -> [Finding] {
        let directory = path.directory
        let prefixes = [".damaged-", ".replaced-"].map { (path.split(separator: "/").last ?? "") + $0 }
        let copies = names.filter { name in prefixes.contains(where: name.hasPrefix) }
        let time = { (name: String) in name.split(separator: "-").last.flatMap { Int($0) } ?? 0 }
        guard let newest = copies.max(by: { time($0) < time($1) }) else { return [] }
        let copy = directory == "/" ? "/\(newest)" : "\(directory)/\(newest)"
        return warning(
            "\(path) was recovered or restored; the previous database is kept in \(copy)",
            remedy: "Compare the watch list with your own records (ipctl list --all). Then delete the copy: "
                + DoctorTarget.asRoot("rm \(copy.shellWord)"))
    }

    /// The advice to free space. A shorter keep-history does not shrink the database; it only lets it grow less.
    private var freeSpace: String {
        let directory = path.directory.shellWord
        return "Free space for \(directory) (df -h \(directory)): delete other files on its file system, or enlarge it"
    }

    private var room: [Finding] {
        let directory = path.directory
        switch space(directory) {
        case .unknown(let error):
            return skipped(
                "\(path): cannot determine the free space: \(meaning(of: error))",
                remedy: error == EACCES ? DoctorTarget.rootRemedy : nil)
        case .known(_, isReadOnly: true):
            return bad(
                "\(directory) is on a file system that is mounted read-only",
                remedy: remount)
        case .known(let freeBytes, _) where freeBytes < Self.lowFreeBytes:
            let text = "only \(Self.size(freeBytes)) left for \(path)"
            guard freeBytes < Self.minFreeBytes else { return warning(text, remedy: freeSpace) }
            return isOpen
                ? warning("\(text): the daemon can still write it, but not for long", remedy: freeSpace)
                : bad("\(text): changes can no longer be written", remedy: freeSpace)
        case .known(let freeBytes, _):
            let limits = isOpen ? "" : "; its contents are checked when the daemon starts"
            return ok("\(path), \(Self.size(freeBytes)) free\(limits)")
        }
    }

    private static func size(_ bytes: UInt64) -> String {
        bytes < 1_024 * mebibyte ? "\(bytes / mebibyte) MiB" : "\(bytes / (1_024 * mebibyte)) GiB"
    }
}
