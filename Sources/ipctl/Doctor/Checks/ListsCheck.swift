import Control
import Glibc

/// The watch-list files: whether the daemon may read them, and whether each of their lines counts.
struct ListsCheck: Check {
    static let name = "lists"

    /// Nil where it is not known which folder the daemon reads.
    let directory: String?
    /// Why that is not known.
    var reasonForNone = "not looked at: this socket does not tell which configuration the daemon reads"
    /// Who has to read them; nil where that cannot be told.
    let reader: DaemonProcess?

    /// So many bad lines of a file are told, and how many more there are.
    private static let toldLines = 10

    func findings() -> [Finding] {
        guard let directory else { return [skipped(reasonForNone)] }
        if let closed = closedFolder(of: directory) { return [closed] }
        let names: [String]
        switch Self.names(in: directory) {
        case .success(let found): names = found
        case .failure(let failure) where failure.errno == ENOENT:
            return [ok("there is no \(directory), and so no file")]
        case .failure(let failure):
            return [
                skipped(
                    "\(directory) cannot be looked at by you: \(meaning(of: failure.errno))", remedy: Patient.lookAsRoot
                )
            ]
        }
        let lists = names.map { List(path: "\(directory)/\($0)", reader: reader) }
        let findings = lists.flatMap(self.findings)
        guard findings.isEmpty else { return findings }
        let addresses = lists.reduce(0) { $0 + $1.addresses }
        let told =
            "\(names.count == 1 ? "1 file" : "\(names.count) files") in \(directory) with "
            + (addresses == 1 ? "1 address" : "\(Times.grouped(addresses)) addresses")
        guard reader != nil else {
            return [skipped("\(told); whether the daemon may read them is not known: nobody knows which user it is")]
        }
        return [ok("\(told), readable for the daemon")]
    }

    private func closedFolder(of directory: String) -> Finding? {
        guard let reader, case .found(let status) = FileStatus(directory), !reader.may(5, status) else { return nil }
        return bad(
            "the daemon may not read the folder \(directory): its mode is \(status.permissions)",
            remedy: "\(Patient.asRoot("chmod 0755 \(directory.shellWord)")); ipctl reload")
    }

    private func findings(on list: List) -> [Finding] {
        let path = list.path
        switch list.content {
        case .missing(let error):
            return [
                bad(
                    "\(path) cannot be read: \(meaning(of: error))",
                    remedy: "ls -l \(path.shellWord); put it right or remove it, then: ipctl reload")
            ]
        case .folder:
            return [
                bad(
                    "\(path) is a folder, and a list is a file", remedy: "Give it a name that does not end in .list")
            ]
        case .closedToDaemon(let mode):
            return [
                bad(
                    "the daemon may not read \(path): its mode is \(mode)",
                    remedy: "\(Patient.asRoot("chmod 0644 \(path.shellWord)")); ipctl reload")
            ]
        case .closedToUs(let error):
            return [skipped("\(path) cannot be read by you: \(meaning(of: error))", remedy: Patient.lookAsRoot)]
        case .noText:
            return [
                bad(
                    "\(path) is no UTF-8 text: nothing of it counts",
                    remedy: "file \(path.shellWord); write it as UTF-8, then: ipctl reload")
            ]
        case .text(let text): return text.badLines.isEmpty ? [] : badLines(of: text, in: path)
        }
    }

    private func badLines(of text: WatchListText, in path: String) -> [Finding] {
        let remedy = "Put the line right in \(path), then: ipctl reload"
        var findings = text.badLines.prefix(Self.toldLines).map {
            bad("line \($0.number) of \(path): \($0.reason)", remedy: remedy)
        }
        let more = text.badLines.count - findings.count
        if more > 0 {
            findings.append(
                bad(
                    "\(Times.grouped(more)) more lines of \(path) do not count",
                    remedy: "ipctl reload tells of lines that do not count"))
        }
        return findings
    }

    private struct Failure: Error {
        let errno: Int32
    }

    /// What the daemon takes for lists: `*.list`, without what is hidden.
    private static func names(in directory: String) -> Result<[String], Failure> {
        guard let stream = opendir(directory) else { return .failure(Failure(errno: errno)) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".list"), !name.hasPrefix(".") { names.append(name) }
        }
        return .success(names.sorted())
    }
}

extension ListsCheck {
    /// One file, as the daemon finds it.
    private struct List {
        enum Content {
            case text(WatchListText)
            case missing(errno: Int32)
            case folder
            case closedToDaemon(mode: String)
            /// The daemon may read it, or nobody knows whether it may; we may not.
            case closedToUs(errno: Int32)
            case noText
        }

        let path: String
        let content: Content

        init(path: String, reader: DaemonProcess?) {
            self.path = path
            content = Self.content(of: path, for: reader)
        }

        var addresses: Int {
            if case .text(let text) = content { text.listed.count } else { 0 }
        }

        private static func content(of path: String, for reader: DaemonProcess?) -> Content {
            switch FileStatus(path) {
            case .missing(let error): return .missing(errno: error)
            case .found(let status) where status.st_mode & S_IFMT == S_IFDIR: return .folder
            case .found(let status):
                if let reader, !reader.may(4, status) { return .closedToDaemon(mode: status.permissions) }
            }
            do throws(WholeFile.Unreadable) {
                let text = String(validating: try WholeFile.bytes(at: path), as: UTF8.self)
                return text.map { .text(WatchListText($0)) } ?? .noText
            } catch {
                return .closedToUs(errno: error.errno)
            }
        }
    }
}
