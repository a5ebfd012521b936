import Foundation
import Glibc
import TestSupport
import Testing

@testable import ipctl

@Suite struct SocketCheckTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        folder.open()
    }

    private func findings(_ socket: String, others: [String] = []) -> [Finding] {
        SocketCheck(target: DoctorTarget(socket: socket) { _ in nil }, others: others).findings()
    }

    @Test func `a public socket in a public directory is good`() throws {
        let path = try folder.makeStaleSocket("a.sock")
        #expect(
            findings(path) == [
                Finding(check: "socket", state: .ok, message: "\(path) exists, mode 0666", remedy: nil)
            ])
    }

    @Test func `a missing socket is reported with the start command and another socket`() throws {
        let path = folder.file("a.sock")
        let finding = try #require(findings(path).first)
        #expect(finding.state == .bad)
        #expect(finding.message == "\(path) does not exist: no daemon listens there")
        #expect(finding.remedy?.hasSuffix("systemctl start iprecordd") == true)
        let other = try folder.makeStaleSocket("b.sock")
        let file = try folder.write("", to: "c.sock")
        #expect(
            findings(path, others: [file, other]).first?.remedy?.contains("ipctl --socket \(other) doctor") == true)
        #expect(findings(folder.file("no/folder/a.sock")).first?.message.contains("does not exist") == true)
    }

    @Test func `a file that is not a socket is reported with a command to move it`() throws {
        let path = try folder.write("", to: "a.sock")
        let finding = try #require(findings(path).first)
        #expect(finding.state == .bad)
        #expect(finding.message.contains("is not a socket"))
        #expect(finding.remedy?.contains("mv \(path) \(path).old") == true)
    }

    @Test(arguments: [0o600, 0o660, 0o664, 0o444] as [mode_t])
    func `a mode that excludes users is reported with the command to fix it`(mode: mode_t) throws {
        let path = try folder.makeStaleSocket("a.sock", mode: mode)
        let finding = try #require(findings(path).first)
        #expect(finding.state == .bad)
        #expect(finding.message.contains("mode 0\(String(mode, radix: 8))"))
        #expect(finding.remedy?.hasSuffix("chmod 0666 \(path)") == true)
    }

    @Test(arguments: [0o600, 0o660] as [mode_t])
    func `a narrower mode that the socket unit sets is intended`(mode: mode_t) throws {
        let path = try folder.makeStaleSocket("a.sock", mode: mode)
        func states(_ unitMode: mode_t?) -> [Finding.State] {
            SocketCheck(target: DoctorTarget(socket: path) { _ in nil }, unitMode: unitMode).findings().map(\.state)
        }
        #expect(states(mode) == [.ok])
        #expect(states(nil) == [.bad])
        #expect(states(0o666) == [.bad])
    }

    @Test(arguments: [0o700, 0o750] as [mode_t])
    func `a private directory is reported unless it is a user's own`(mode: mode_t) throws {
        try folder.makeFolder("iprecord", mode: mode)
        let path = try folder.makeStaleSocket("iprecord/control.sock")
        // A user's own directory may be private.
        let finding = try #require(findings(path).first)
        #expect(finding.state == (geteuid() == 0 ? .warning : .ok))
        let own = DoctorTarget(socket: path) { $0 == "XDG_RUNTIME_DIR" ? folder.path : nil }
        #expect(SocketCheck(target: own).findings().map(\.state) == [.ok])
    }

    @Test(.enabled(if: UnprivilegedUser.isPossible, "needs root, setpriv and a folder of programs that is open"))
    func `a directory without access is reported with its mode`() throws {
        let inner = try folder.makeFolder("closed", mode: 0o700)
        try folder.makeStaleSocket("closed/a.sock")
        let ended = try BuiltIpctl.run(
            ["--json", "--socket", inner + "/a.sock", "doctor"], environment: DoctorOutput.quickNames,
            prefix: UnprivilegedUser.prefix)
        #expect(ended.status == 69)
        let finding = try #require(try DoctorOutput.documents(in: ended).first)
        #expect(finding.check == "socket" && finding.state == "bad")
        #expect(finding.message == "you have no access to the directory \(inner): its mode is 0700")
        #expect(finding.remedy == "sudo chmod 0755 \(inner)")
    }

    @Test(.enabled(if: UnprivilegedUser.isPossible, "needs root, setpriv and a folder of programs that is open"))
    func `a socket that only its owner may use is reported to another user`() throws {
        let server = try WireServer([], in: folder)
        chmod(server.path, 0o600)
        let ended = try BuiltIpctl.run(
            ["--json", "--socket", server.path, "doctor"], environment: DoctorOutput.quickNames,
            prefix: UnprivilegedUser.prefix)
        #expect(ended.status == 69)
        let findings = try DoctorOutput.documents(in: ended).prefix(2)
        #expect(findings.map(\.check) == ["socket", "daemon"])
        #expect(findings.first?.remedy == "sudo chmod 0666 \(server.path)")
        #expect(findings.last?.message == "you do not have permission to connect to \(server.path)")
    }

    // MARK: The mode of the socket unit

    /// Creates a `systemctl` that reports a mode of the socket unit.
    ///
    /// - Returns: an environment in which it is found.
    private func mockSystemctl(mode: String) throws -> [String: String] {
        try folder.makeFolder("bin")
        let script = "#!/bin/sh\n[ \"$3 $4\" = 'SocketMode iprecordd.socket' ] && echo \(mode)\n"
        try folder.write(script, to: "bin/systemctl", mode: 0o755)
        return DoctorOutput.quickNames.merging(["PATH": "\(folder.path)/bin:/usr/bin:/bin"]) { $1 }
    }

    @Test func `the doctor compares the socket with the mode of the socket unit`() throws {
        let server = try WireServer(DoctorOutput.replies(Sample.status()), in: folder)
        chmod(server.path, 0o660)
        let ended = try BuiltIpctl.run(
            ["--json", "--socket", server.path, "doctor"], environment: try mockSystemctl(mode: "0660"))
        let finding = try #require(try DoctorOutput.documents(in: ended).first)
        #expect(finding.check == "socket" && finding.state == "ok")
        #expect(finding.message == "\(server.path) exists, mode 0660, as SocketMode of iprecordd.socket says")
    }

    @Test(.enabled(if: UnprivilegedUser.isPossible, "needs root, setpriv and a folder of programs that is open"))
    func `a user whom the mode of the socket unit excludes gets advice that leaves the mode as it is`() throws {
        let server = try WireServer([], in: folder)
        chmod(server.path, 0o600)
        let ended = try BuiltIpctl.run(
            ["--json", "--socket", server.path, "doctor"], environment: try mockSystemctl(mode: "0600"),
            prefix: UnprivilegedUser.prefix)
        #expect(ended.status == 69)
        let findings = try DoctorOutput.documents(in: ended).prefix(2)
        #expect(findings.map(\.check) == ["socket", "daemon"])
        #expect(findings.map(\.state) == ["warning", "bad"])
        #expect(findings.first?.message.hasSuffix(": only root can connect") == true)
        #expect(findings.map(\.remedy) == ["Use sudo", "Use sudo"])
    }

    @Test(
        arguments: [
            (0o600, "root", "adm", "root", "Use sudo"), (0o600, "iprecord", nil, "root and iprecord", "Use sudo"),
            (0o660, "root", nil, "root", "Use sudo"),
            (
                0o660, "root", "adm", "root and members of the group adm",
                "Use sudo, or join the group and log in again: sudo usermod -aG adm $USER"
            ),
        ] as [(mode_t, String, String?, String, String)])
    func `the advice for an excluded user follows from the mode, the owner and the group`(
        mode: mode_t, owner: String, group: String?, users: String, advice: String
    ) {
        let permissions = SocketPermissions(mode: mode, owner: owner, group: group)
        #expect(permissions.excludeOthers)
        #expect(permissions.users == users)
        #expect(permissions.advice == advice)
        #expect(!SocketPermissions(mode: 0o666, owner: owner, group: group).excludeOthers)
    }

    @Test func `a path that is too long is reported`() {
        let finding = findings("/" + String(repeating: "a", count: 107)).first
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("107 bytes") == true)
    }

    @Test func `paths with special characters are quoted for the shell`() throws {
        let path = try folder.makeStaleSocket("a b's.sock", mode: 0o600)
        #expect(findings(path).first?.remedy?.hasSuffix(#"chmod 0666 '\#(folder.path)/a b'\''s.sock'"#) == true)
    }
}
