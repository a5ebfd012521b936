import Control
import Glibc

/// Checks that the daemon can read the watch-list files, and that all their lines are valid.
struct ListsCheck: Check {
    static let name = "lists"

    /// The files as iprecordd reads them; nil if they are unknown.
    let lists: CheckReport.Lists?
    /// The reason why the files are unknown.
    var unknownReason = "not checked: cannot tell which configuration the daemon reads"
    /// The credentials of the daemon; nil if they are unknown.
    let reader: ProcessCredentials?

    /// The maximum number of invalid lines reported per file.
    private static let maxReportedLines = 10

    func findings() -> [Finding] {
        guard let lists else { return skipped(unknownReason) }
        let directory = lists.directory
        if let closed = closedDirectory(of: directory) { return closed }
        if let problem = lists.problem {
            return skipped("you cannot read \(directory): \(problem)", remedy: DoctorTarget.rootRemedy)
        }
        if case .missing(ENOENT) = FileStatus(directory) {
            return ok("\(directory) does not exist, so there are no watch-list files")
        }
        let findings = lists.files.flatMap(self.findings) + lists.unreadFiles.flatMap(ignoredFile)
        guard findings.isEmpty else { return findings }
        let (files, addresses) = (lists.files.count, lists.files.reduce(0) { $0 + $1.addresses })
        let summary =
            "\(files == 1 ? "1 file" : "\(files) files") in \(directory) with \(Times.count(addresses, "address"))"
        guard reader != nil else {
            return skipped("\(summary); cannot tell whether the daemon can read them: its user is unknown")
        }
        return ok("\(summary), readable by the daemon")
    }

    private func closedDirectory(of directory: String) -> [Finding]? {
        guard let reader, case .found(let status) = FileStatus(directory), !reader.hasPermission(5, status) else {
            return nil
        }
        return bad(
            "the daemon cannot read the directory \(directory): its mode is \(status.permissions)",
            remedy: "\(DoctorTarget.asRoot("chmod 0755 \(directory.shellWord)")); ipctl reload")
    }

    private func findings(on list: CheckReport.List) -> [Finding] {
        let path = list.path
        switch FileStatus(path) {
        case .missing(let error):
            return bad(
                "cannot read \(path): \(meaning(of: error))",
                remedy: "Fix or remove it (ls -l \(path.shellWord)), then run: ipctl reload")
        case .found(let status) where status.st_mode & S_IFMT == S_IFDIR:
            return bad("\(path) is a directory, not a file", remedy: "Rename it so that its name does not end in .list")
        case .found(let status):
            if let reader, !reader.hasPermission(4, status) {
                return bad(
                    "the daemon cannot read \(path): its mode is \(status.permissions)",
                    remedy: "\(DoctorTarget.asRoot("chmod 0644 \(path.shellWord)")); ipctl reload")
            }
        }
        if let problem = list.problem {
            return skipped("you cannot read \(path): \(problem)", remedy: DoctorTarget.rootRemedy)
        }
        return badLines(of: list)
    }

    private func badLines(of list: CheckReport.List) -> [Finding] {
        let path = list.path
        let remedy = "Fix the line in \(path), then run: ipctl reload"
        var findings = list.ignoredLines.prefix(Self.maxReportedLines).flatMap { line in
            let place = line.column.map { "\(path):\(line.line):\($0)" } ?? "line \(line.line) of \(path)"
            return bad("\(place): \(line.reason)", remedy: remedy)
        }
        let more = list.ignoredLines.count - findings.count
        if more > 0 {
            findings += bad(
                "\(Times.grouped(more)) more lines of \(path) are ignored",
                remedy: "Run ipctl reload to list all ignored lines")
        }
        return findings
    }

    private func ignoredFile(_ path: String) -> [Finding] {
        let renaming = DoctorTarget.asRoot("mv \(path.shellWord) \("\(path).list".shellWord)")
        return warning(
            "\(path) is not read: its name does not end in .list",
            remedy: "If it is a watch list: \(renaming); ipctl reload")
    }
}
