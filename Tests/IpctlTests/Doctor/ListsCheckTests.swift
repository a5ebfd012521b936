import Foundation
import Glibc
import Testing

@testable import ipctl

@Suite struct ListsCheckTests {
    private static let stranger = DaemonProcess(user: 65_534, groups: [65_534])
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        folder.open()
    }

    private func findings(_ reader: DaemonProcess = stranger, in directory: String? = nil) -> [Finding] {
        ListsCheck(directory: directory ?? folder.path, reader: reader).findings()
    }

    @Test func `lists that the daemon may read are counted`() throws {
        try folder.write("192.0.2.1", to: "a.list", mode: 0o644)
        try folder.write("192.0.2.2", to: "b.list", mode: 0o644)
        try folder.write("what an editor hides", to: ".c.list", mode: 0o600)
        try folder.write("what is no list", to: "d.list~", mode: 0o600)
        #expect(findings().map(\.message) == ["2 files in \(folder.path), readable for the daemon"])
        #expect(findings().map(\.state) == [.ok])
    }

    @Test func `each list that it may not read is told with its mode and the command`() throws {
        try folder.write("", to: "a.list", mode: 0o600)
        try folder.write("", to: "b.list", mode: 0o644)
        try folder.write("", to: "c d.list", mode: 0o640)
        let findings = findings()
        #expect(findings.map(\.state) == [.bad, .bad])
        #expect(findings.first?.message == "the daemon may not read \(folder.path)/a.list: its mode is 0600")
        #expect(findings.first?.remedy?.hasSuffix("chmod 0644 \(folder.path)/a.list; ipctl reload") == true)
        #expect(findings.last?.remedy?.contains("'\(folder.path)/c d.list'") == true)
        #expect(self.findings(DaemonProcess(user: 0, groups: [0])).map(\.state) == [.ok], "root may")
        #expect(self.findings(.own).map(\.state) == [.ok], "the owner may")
    }

    @Test func `its group counts, where the mode gives it something`() throws {
        let group = getegid()
        try folder.write("", to: "a.list", mode: 0o640)
        #expect(findings(DaemonProcess(user: 65_534, groups: [65_534, group])).map(\.state) == [.ok])
        chmod(folder.file("a.list"), 0o604)
        #expect(findings(DaemonProcess(user: 65_534, groups: [65_534, group])).map(\.state) == [.bad])
        #expect(findings().map(\.state) == [.ok])
    }

    @Test(arguments: [0o700, 0o711, 0o744] as [mode_t]) func `a folder that it may not read is told`(mode: mode_t)
        throws
    {
        let inner = try folder.makeFolder("watch.d", mode: mode)
        let findings = findings(in: inner)
        #expect(findings.map(\.state) == [.bad])
        #expect(findings.first?.remedy?.contains("chmod 0755 \(inner)") == true)
    }

    @Test func `a list that leads nowhere, and one that is a folder, are told`() throws {
        symlink("/nowhere/at/all", folder.file("a.list"))
        try folder.makeFolder("b.list")
        let findings = findings()
        #expect(findings.map(\.state) == [.bad, .bad])
        #expect(findings.first?.message.hasSuffix("No such file or directory") == true)
        #expect(findings.last?.message.hasSuffix("is a folder, and a list is a file") == true)
    }

    @Test func `no folder, no lists, no fault`() throws {
        #expect(findings(in: folder.file("none")).map(\.state) == [.ok])
        #expect(findings().map(\.message) == ["0 files in \(folder.path), readable for the daemon"])
        #expect(ListsCheck(directory: nil, reader: .own).findings().map(\.state) == [.ok])
        #expect(ListsCheck(directory: folder.path, reader: nil).findings().map(\.state) == [.ok])
    }

    @Test func `a user's groups are found by name`() throws {
        #expect(DaemonProcess(userNamed: "root")?.user == 0)
        #expect(DaemonProcess(userNamed: "no-such-user-here") == nil)
    }

    // MARK: The key

    private func key(_ path: String?, _ reader: DaemonProcess? = stranger) -> Finding? {
        KeyCheck(path: path, reader: reader, patient: Patient(socket: SocketPath.ofSystem) { _ in nil })
            .findings().first
    }

    @Test func `a key that its reader alone may read is well, and so is none`() throws {
        let path = try folder.write("secret", to: "key", mode: 0o600)
        #expect(key(path, .own)?.state == .ok)
        #expect(key(nil)?.state == .ok)
    }

    @Test func `a key that the daemon may not read, or that is not there, is told`() throws {
        let path = try folder.write("secret", to: "key", mode: 0o600)
        #expect(key(path)?.state == .bad)
        #expect(key(path)?.remedy?.contains("chmod 0640 \(path)") == true)
        #expect(key(folder.file("none"))?.state == .bad)
        #expect(key(folder.file("none"))?.message.contains("does not start") == true)
    }

    @Test func `a key that everybody may read is told, and never shown`() throws {
        let path = try folder.write("secret", to: "key", mode: 0o644)
        let finding = try #require(key(path))
        #expect(finding.state == .warning)
        #expect(!"\(finding)".contains("secret"))
    }
}
