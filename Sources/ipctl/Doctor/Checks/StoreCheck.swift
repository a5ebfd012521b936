import Glibc

/// The database: whether it is there, can be read by the daemon, and has room to grow.
struct StoreCheck: Check {
    static let name = "store"

    let patient: Patient
    let path: String
    /// The daemon has it open.
    let isOpen: Bool
    /// What the daemon said when it was made to read; nil where it could, or was not asked.
    var refusal: String?
    /// What is known of the file system that a folder is on.
    var space: (_ folder: String) -> FileSystem = { FileSystem(of: $0) }

    private static let mebibyte: UInt64 = 1_048_576
    /// A busy list's write-ahead log has some 4 MiB, and is moved into the database in one go.
    private static let leastBytes = 16 * mebibyte
    private static let fewBytes = 100 * mebibyte

    func findings() -> [Finding] {
        var findings: [Finding] = []
        if let refusal {
            findings.append(
                bad(
                    "the daemon cannot read \(path): \(refusal)",
                    remedy: "df -h \(path.folder.shellWord); \(patient.log)"))
        }
        if isOpen, case .missing(ENOENT) = FileStatus(path), case .found(let folder) = FileStatus(path.folder),
            DaemonProcess.own.may(1, folder)
        {
            findings.append(
                bad(
                    "\(path) is gone while the daemon has it open: what it writes is lost when it ends",
                    remedy: "ipctl export >list.jsonl; \(patient.restart); ipctl import list.jsonl"))
        }
        findings += room
        return findings
    }

    private var room: [Finding] {
        let folder = path.folder
        switch space(folder) {
        case .unknown(let error):
            return [
                skipped(
                    "\(path): how much room there is cannot be seen from here: \(meaning(of: error))",
                    remedy: error == EACCES ? Patient.lookAsRoot : nil)
            ]
        case .known(_, isReadOnly: true):
            return [
                bad(
                    "\(folder) is on a file system that is mounted read-only",
                    remedy: "findmnt -T \(folder.shellWord), and dmesg for why; then "
                        + Patient.asRoot("mount -o remount,rw MOUNTPOINT"))
            ]
        case .known(let freeBytes, _) where freeBytes < Self.fewBytes:
            let text = "only \(Self.size(freeBytes)) are left for \(path)"
            let remedy =
                "df -h \(folder.shellWord), and make room; [store] keep-history = \"30d\" keeps less, from the next start on"
            return [
                freeBytes < Self.leastBytes
                    ? bad("\(text): changes cannot be written any more", remedy: remedy) : warning(text, remedy: remedy)
            ]
        case .known(let freeBytes, _): return [ok("\(path), \(Self.size(freeBytes)) free")]
        }
    }

    private static func size(_ bytes: UInt64) -> String {
        bytes < 1_024 * mebibyte ? "\(bytes / mebibyte) MiB" : "\(bytes / (1_024 * mebibyte)) GiB"
    }
}

/// A file system, as statvfs(3) tells of it to whoever may look up the folder.
enum FileSystem {
    /// Free for those who are not root.
    case known(freeBytes: UInt64, isReadOnly: Bool)
    case unknown(errno: Int32)

    init(of folder: String) {
        var status = statvfs()
        self =
            statvfs(folder, &status) == 0
            ? .known(
                freeBytes: UInt64(status.f_bavail) * UInt64(status.f_frsize),
                isReadOnly: status.f_flag & UInt(ST_RDONLY) != 0)
            : .unknown(errno: errno)
    }
}
