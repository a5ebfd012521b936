import Glibc

/// The watch-list files: whether the daemon may read them.
struct ListsCheck: Check {
    static let name = "lists"

    /// Nil where it is not known which folder the daemon reads.
    let directory: String?
    /// Who has to read them; nil where that cannot be told.
    let reader: DaemonProcess?

    func findings() -> [Finding] {
        guard let directory else {
            return [ok("not looked at: this socket does not tell which configuration the daemon reads")]
        }
        guard let reader else { return [ok("not looked at: nobody knows which user the daemon is")] }
        if let closed = closedFolder(of: directory, to: reader) { return [closed] }
        let names: [String]
        switch Self.names(in: directory) {
        case .success(let found): names = found
        case .failure(let failure) where failure.errno == ENOENT:
            return [ok("there is no \(directory), and so no file")]
        case .failure(let failure):
            return [ok("\(directory) cannot be looked at from here: \(meaning(of: failure.errno))")]
        }
        let findings = names.compactMap { unreadable("\(directory)/\($0)", to: reader) }
        guard findings.isEmpty else { return findings }
        return [ok("\(names.count == 1 ? "1 file" : "\(names.count) files") in \(directory), readable for the daemon")]
    }

    private func closedFolder(of directory: String, to reader: DaemonProcess) -> Finding? {
        guard case .found(let status) = FileStatus(directory), !reader.may(5, status) else { return nil }
        return bad(
            "the daemon may not read the folder \(directory): its mode is \(status.permissions)",
            remedy: "\(Patient.asRoot("chmod 0755 \(directory.shellWord)")); ipctl reload")
    }

    private func unreadable(_ path: String, to reader: DaemonProcess) -> Finding? {
        switch FileStatus(path) {
        case .missing(let error):
            return bad(
                "\(path) cannot be read: \(meaning(of: error))",
                remedy: "ls -l \(path.shellWord); put it right or remove it, then: ipctl reload")
        case .found(let status) where status.st_mode & S_IFMT == S_IFDIR:
            return bad(
                "\(path) is a folder, and a list is a file", remedy: "Give it a name that does not end in .list")
        case .found(let status) where !reader.may(4, status):
            return bad(
                "the daemon may not read \(path): its mode is \(status.permissions)",
                remedy: "\(Patient.asRoot("chmod 0644 \(path.shellWord)")); ipctl reload")
        case .found: return nil
        }
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
