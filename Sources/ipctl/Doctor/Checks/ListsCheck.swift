import Control
import Files
import Glibc

/// Checks that the daemon can read the watch-list files, and that all their lines are valid.
struct ListsCheck: Check {
    static let name = "lists"

    /// The directory of the files; nil if it is unknown.
    let directory: String?
    /// The reason why the directory is unknown.
    var unknownReason = "not checked: cannot tell which configuration the daemon reads"
    /// The credentials of the daemon; nil if they are unknown.
    let reader: ProcessCredentials?

    /// The maximum number of invalid lines reported per file.
    private static let maxReportedLines = 10

    func findings() -> [Finding] {
        guard let directory else { return [skipped(unknownReason)] }
        if let closed = closedDirectory(of: directory) { return [closed] }
        let names: [String]
        switch Self.names(in: directory) {
        case .success(let found): names = found
        case .failure(let failure) where failure.errno == ENOENT:
            return [ok("\(directory) does not exist, so there are no watch-list files")]
        case .failure(let failure):
            return [
                skipped("you cannot read \(directory): \(meaning(of: failure.errno))", remedy: DoctorTarget.rootRemedy)
            ]
        }
        let lists = names.filter(Self.isList).map { List(path: "\(directory)/\($0)", reader: reader) }
        // Backup files of editors are ignored.
        let others = names.filter { !Self.isList($0) && !$0.hasSuffix("~") }
        let findings = lists.flatMap(self.findings) + others.map { ignoredFile($0, in: directory) }
        guard findings.isEmpty else { return findings }
        let addresses = lists.reduce(0) { $0 + $1.addresses }
        let summary =
            "\(lists.count == 1 ? "1 file" : "\(lists.count) files") in \(directory) with "
            + (addresses == 1 ? "1 address" : "\(Times.grouped(addresses)) addresses")
        guard reader != nil else {
            return [skipped("\(summary); cannot tell whether the daemon can read them: its user is unknown")]
        }
        return [ok("\(summary), readable by the daemon")]
    }

    private func closedDirectory(of directory: String) -> Finding? {
        guard let reader, case .found(let status) = FileStatus(directory), !reader.hasPermission(5, status) else {
            return nil
        }
        return bad(
            "the daemon cannot read the directory \(directory): its mode is \(status.permissions)",
            remedy: "\(DoctorTarget.asRoot("chmod 0755 \(directory.shellWord)")); ipctl reload")
    }

    private func findings(on list: List) -> [Finding] {
        let path = list.path
        switch list.content {
        case .missing(let error):
            return [
                bad(
                    "cannot read \(path): \(meaning(of: error))",
                    remedy: "Fix or remove it (ls -l \(path.shellWord)), then run: ipctl reload")
            ]
        case .directory:
            return [
                bad("\(path) is a directory, not a file", remedy: "Rename it so that its name does not end in .list")
            ]
        case .closedToDaemon(let mode):
            return [
                bad(
                    "the daemon cannot read \(path): its mode is \(mode)",
                    remedy: "\(DoctorTarget.asRoot("chmod 0644 \(path.shellWord)")); ipctl reload")
            ]
        case .closedToUs(let error):
            return [skipped("you cannot read \(path): \(meaning(of: error))", remedy: DoctorTarget.rootRemedy)]
        case .text(let text): return text.badLines.isEmpty ? [] : badLines(of: text, in: path)
        }
    }

    private func badLines(of text: WatchListText, in path: String) -> [Finding] {
        let remedy = "Fix the line in \(path), then run: ipctl reload"
        var findings = text.badLines.prefix(Self.maxReportedLines).map { line in
            let place = line.column.map { "\(path):\(line.number):\($0)" } ?? "line \(line.number) of \(path)"
            return bad("\(place): \(line.reason)", remedy: remedy)
        }
        let more = text.badLines.count - findings.count
        if more > 0 {
            findings.append(
                bad(
                    "\(Times.grouped(more)) more lines of \(path) are ignored",
                    remedy: "Run ipctl reload to list all ignored lines"))
        }
        return findings
    }

    private struct Failure: Error {
        let errno: Int32
    }

    private func ignoredFile(_ name: String, in directory: String) -> Finding {
        let path = "\(directory)/\(name)"
        let renaming = DoctorTarget.asRoot("mv \(path.shellWord) \("\(path).list".shellWord)")
        return warning(
            "\(path) is not read: its name does not end in .list",
            remedy: "If it is a watch list: \(renaming); ipctl reload")
    }

    private static func isList(_ name: String) -> Bool { name.hasSuffix(".list") }

    /// The files in the directory, except hidden ones.
    private static func names(in directory: String) -> Result<[String], Failure> {
        guard let stream = opendir(directory) else { return .failure(Failure(errno: errno)) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return .success(names.sorted())
    }
}

extension ListsCheck {
    /// A watch-list file as the daemon reads it.
    private struct List {
        enum Content {
            case text(WatchListText)
            case missing(errno: Int32)
            case directory
            case closedToDaemon(mode: String)
            /// This process cannot read the file; the daemon may be able to.
            case closedToUs(errno: Int32)
        }

        let path: String
        let content: Content

        init(path: String, reader: ProcessCredentials?) {
            self.path = path
            content = Self.content(of: path, for: reader)
        }

        var addresses: Int {
            if case .text(let text) = content { text.listed.count } else { 0 }
        }

        private static func content(of path: String, for reader: ProcessCredentials?) -> Content {
            switch FileStatus(path) {
            case .missing(let error): return .missing(errno: error)
            case .found(let status) where status.st_mode & S_IFMT == S_IFDIR: return .directory
            case .found(let status):
                if let reader, !reader.hasPermission(4, status) { return .closedToDaemon(mode: status.permissions) }
            }
            do throws(WholeFile.Unreadable) {
                return .text(WatchListText(utf8: try WholeFile.bytes(at: path, pipes: .readWithoutWaiting)))
            } catch {
                return .closedToUs(errno: error.errno)
            }
        }
    }
}
