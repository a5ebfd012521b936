import Control
import Foundation
import Glibc
import TestSupport
import Testing

@testable import ipctl

@Suite struct ListsCheckTests {
    private static let stranger = ProcessCredentials(user: 65_534, groups: [65_534])
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        folder.open()
    }

    private func findings(_ reader: ProcessCredentials? = stranger, in directory: String? = nil) throws -> [Finding] {
        let configurations = try TemporaryFolder()
        let path = try configurations.write(
            "[watch]\ndirectory = \"\(directory ?? folder.path)\"\n", to: "iprecordd.toml")
        let program = BuiltIpctl.path.directory + "/iprecordd"
        let report = CheckedConfiguration.read(.file(path), program: program).report
        let lists: CheckReport.Lists = try #require(report?.lists)
        return ListsCheck(lists: lists, reader: reader).findings()
    }

    @Test func `readable lists are counted`() throws {
        try folder.write("192.0.2.1", to: "a.list", mode: 0o644)
        try folder.write("192.0.2.2", to: "b.list", mode: 0o644)
        try folder.write("what an editor hides", to: ".c.list", mode: 0o600)
        try folder.write("what is no list", to: "d.list~", mode: 0o600)
        #expect(try findings().map(\.message) == ["2 files in \(folder.path) with 2 addresses, readable by the daemon"])
        #expect(try findings().map(\.state) == [.ok])
    }

    @Test func `an unreadable list is reported with its mode and the command to fix it`() throws {
        try folder.write("", to: "a.list", mode: 0o600)
        try folder.write("", to: "b.list", mode: 0o644)
        try folder.write("", to: "c d.list", mode: 0o640)
        let findings = try findings()
        #expect(findings.map(\.state) == [.bad, .bad])
        #expect(findings.first?.message == "the daemon cannot read \(folder.path)/a.list: its mode is 0600")
        #expect(findings.first?.remedy?.hasSuffix("chmod 0644 \(folder.path)/a.list; ipctl reload") == true)
        #expect(findings.last?.remedy?.contains("'\(folder.path)/c d.list'") == true)
        let root = ProcessCredentials(user: 0, groups: [0])
        #expect(try self.findings(root).map(\.state) == [.ok], "root can read the file")
        #expect(try self.findings(.own).map(\.state) == [.ok], "the owner can read the file")
    }

    @Test func `the permissions of the daemon's group are considered`() throws {
        let group = getegid()
        try folder.write("", to: "a.list", mode: 0o640)
        #expect(try findings(ProcessCredentials(user: 65_534, groups: [65_534, group])).map(\.state) == [.ok])
        chmod(folder.file("a.list"), 0o604)
        #expect(try findings(ProcessCredentials(user: 65_534, groups: [65_534, group])).map(\.state) == [.bad])
        #expect(try findings().map(\.state) == [.ok])
    }

    @Test(arguments: [0o700, 0o711, 0o744] as [mode_t]) func `an unreadable directory is reported`(mode: mode_t)
        throws
    {
        let inner = try folder.makeFolder("watch.d", mode: mode)
        let findings = try findings(in: inner)
        #expect(findings.map(\.state) == [.bad])
        #expect(findings.first?.remedy?.contains("chmod 0755 \(inner)") == true)
    }

    @Test func `a dangling link and a directory are reported`() throws {
        symlink("/nowhere/at/all", folder.file("a.list"))
        try folder.makeFolder("b.list")
        let findings = try findings()
        #expect(findings.map(\.state) == [.bad, .bad])
        #expect(findings.first?.message.hasSuffix("No such file or directory") == true)
        #expect(findings.last?.message.hasSuffix("is a directory, not a file") == true)
    }

    @Test func `a missing directory is not a problem`() throws {
        #expect(try findings(in: folder.file("none")).map(\.state) == [.ok])
        #expect(try findings().map(\.message) == ["0 files in \(folder.path) with 0 addresses, readable by the daemon"])
    }

    @Test func `a list that was not checked does not count as good`() throws {
        #expect(ListsCheck(lists: nil, reader: .own).findings().map(\.state) == [.skipped])
        let unknown = try findings(nil)
        #expect(unknown.map(\.state) == [.skipped])
        #expect(unknown.first?.message.contains("its user is unknown") == true)
    }

    @Test func `an invalid line is reported with its file, its number and the daemon's reason`() throws {
        let good = "# our own\n192.0.2.1 dns,web\n\n2001:db8::1 dns # two\r\n"
        let list = try folder.write(good + "8.8.8\n1.2.3.400 dns\n", to: "a.list", mode: 0o644)
        try folder.write("192.0.2.2\n", to: "b.list", mode: 0o644)
        let findings = try findings()
        try #require(findings.map(\.state) == [.bad, .bad, .bad])
        #expect(findings.map(\.message).allSatisfy { $0.contains(" of \(list): ") })
        #expect(findings[0].message.hasPrefix("line 2 of \(list): \"dns,web\" is not a valid tag: "))
        #expect(findings[1].message.hasPrefix("line 5 of \(list): \"8.8.8\" is not an IP address: "))
        #expect(findings[2].message.hasPrefix("line 6 of \(list): \"1.2.3.400\" is not an IP address: "))
        #expect(findings[0].remedy == "Fix the line in \(list), then run: ipctl reload")
        #expect(try self.findings(nil).map(\.state) == [.bad, .bad, .bad])
    }

    @Test func `of many invalid lines, the first are reported with the number of the others`() throws {
        try folder.write(String(repeating: "nonsense\n", count: 1_234), to: "a.list", mode: 0o644)
        let findings = try findings()
        #expect(findings.count == 11)
        #expect(findings.last?.message == "1,224 more lines of \(folder.path)/a.list are ignored")
        #expect(findings.last?.state == .bad)
    }

    @Test func `an invalid byte is named with line and column`() throws {
        let path = try folder.write([0x31, 0xFF, 0xFE], to: "a.list")
        chmod(path, 0o644)
        #expect(try findings().map(\.message) == ["\(path):1:2: not valid UTF-8: byte 0xff"])
    }

    @Test func `a file whose name does not end in .list is a warning`() throws {
        try folder.write("192.0.2.1\n", to: "c.txt", mode: 0o644)
        let findings = try findings()
        #expect(findings.map(\.state) == [.warning])
        #expect(findings.first?.message == "\(folder.path)/c.txt is not read: its name does not end in .list")
    }

    @Test(.enabled(if: UnprivilegedUser.isPossible, "needs root, setpriv and a folder of programs that is open"))
    func `a list and a configuration that only root can read are skipped`() throws {
        let server = try WireServer(DoctorOutput.replies(Sample.status()), in: folder, name: "control.sock")
        chmod(server.path, 0o666)
        try folder.makeFolder("iprecord")
        let configuration = try folder.write("", to: "iprecord/iprecordd.toml", mode: 0o600)
        try folder.makeFolder("run/iprecord")
        symlink(server.path, folder.file("run/iprecord/control.sock"))
        let ended = try BuiltIpctl.run(
            ["--json", "doctor"],
            environment: ["XDG_RUNTIME_DIR": folder.file("run"), "XDG_CONFIG_HOME": folder.path, "HOME": folder.path]
                .merging(DoctorOutput.quickNames) { $1 }, prefix: UnprivilegedUser.prefix)
        let documents = try DoctorOutput.documents(in: ended)
        let skipped = documents.filter { $0.state == "skipped" }
        #expect(skipped.map(\.check).filter { $0 != "store" } == ["key", "lists", "configuration"], "\(documents)")
        #expect(
            documents.last?.message == "you cannot read \(configuration): Permission denied", "\(documents)")
        #expect(documents.last?.remedy?.contains("sudo ipctl doctor") == true)
    }

    @Test func `a user's groups are found by name`() throws {
        #expect(ProcessCredentials(userNamed: "root")?.user == 0)
        #expect(ProcessCredentials(userNamed: "no-such-user-here") == nil)
    }

    // MARK: The key

    private func key(_ path: String?, _ reader: ProcessCredentials? = stranger) -> Finding? {
        KeyCheck(path: path, reader: reader, target: DoctorTarget(socket: SocketPath.system) { _ in nil })
            .findings().first
    }

    @Test func `a key that only the daemon can read is good, and so is a missing key`() throws {
        let path = try folder.write("secret", to: "key", mode: 0o600)
        #expect(key(path, .own)?.state == .ok)
        #expect(key(nil)?.state == .ok)
    }

    @Test(.enabled(if: UnprivilegedUser.isPossible, "needs root, setpriv and a folder of programs that is open"))
    func `a key without access is skipped`() throws {
        try folder.makeFolder("iprecord")
        try folder.makeFolder("closed", mode: 0o700)
        let path = try folder.write("secret", to: "closed/key")
        try folder.write("[provider]\nkey-file = \"\(path)\"\n", to: "iprecord/iprecordd.toml", mode: 0o644)
        try folder.makeStaleSocket("iprecord/control.sock")
        let ended = try BuiltIpctl.run(
            ["--json", "doctor"],
            environment: ["XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.path, "HOME": folder.path]
                .merging(DoctorOutput.quickNames) { $1 }, prefix: UnprivilegedUser.prefix)
        let finding = try #require(try DoctorOutput.documents(in: ended).first { $0.check == "key" })
        #expect(finding.state == "skipped")
        #expect(finding.message == "you cannot access \(path)")
        #expect(finding.remedy?.contains("sudo ipctl doctor") == true)
    }

    @Test func `an unreadable or missing key is reported`() throws {
        let path = try folder.write("secret", to: "key", mode: 0o600)
        #expect(key(path)?.state == .bad)
        #expect(key(path)?.remedy?.contains("chmod 0640 \(path)") == true)
        #expect(key(folder.file("none"))?.state == .bad)
        #expect(key(folder.file("none"))?.message.contains("does not start") == true)
    }

    @Test func `a public key file is reported, and the key is never shown`() throws {
        let path = try folder.write("secret", to: "key", mode: 0o644)
        let finding = try #require(key(path))
        #expect(finding.state == .warning)
        #expect(!"\(finding)".contains("secret"))
    }
}
