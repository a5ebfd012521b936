import Foundation
import Glibc
import Testing

@testable import ipctl

@Suite struct SocketCheckTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        folder.open()
    }

    private func findings(_ socket: String, others: [String] = []) -> [Finding] {
        SocketCheck(patient: Patient(socket: socket) { _ in nil }, others: others).findings()
    }

    @Test func `a socket for everybody in a folder for everybody is well`() throws {
        let path = try folder.makeStaleSocket("a.sock")
        #expect(
            findings(path) == [
                Finding(check: "socket", state: .ok, message: "\(path) is there, mode 0666", remedy: nil)
            ])
    }

    @Test func `one that is not there is told with how to start the daemon, and where another one is`() throws {
        let path = folder.file("a.sock")
        let finding = try #require(findings(path).first)
        #expect(finding.state == .bad)
        #expect(finding.message == "there is no \(path): no daemon listens there")
        #expect(finding.remedy?.hasSuffix("systemctl start iprecordd") == true)
        let other = try folder.makeStaleSocket("b.sock")
        let file = try folder.write("", to: "c.sock")
        #expect(
            findings(path, others: [file, other]).first?.remedy?.contains("ipctl --socket \(other) doctor") == true)
        #expect(findings(folder.file("no/folder/a.sock")).first?.message.hasPrefix("there is no ") == true)
    }

    @Test func `what is no socket is told, and moved out of the way`() throws {
        let path = try folder.write("", to: "a.sock")
        let finding = try #require(findings(path).first)
        #expect(finding.state == .bad)
        #expect(finding.message.contains("no socket"))
        #expect(finding.remedy?.contains("mv \(path) \(path).old") == true)
    }

    @Test(arguments: [0o600, 0o660, 0o664, 0o444] as [mode_t])
    func `a mode that keeps some out is told with the command that sets it right`(mode: mode_t) throws {
        let path = try folder.makeStaleSocket("a.sock", mode: mode)
        let finding = try #require(findings(path).first)
        #expect(finding.state == .bad)
        #expect(finding.message.contains("mode 0\(String(mode, radix: 8))"))
        #expect(finding.remedy?.hasSuffix("chmod 0666 \(path)") == true)
    }

    @Test(arguments: [0o700, 0o750] as [mode_t])
    func `a folder that keeps others out is told, too, unless it is meant to be a user's own`(mode: mode_t) throws {
        try folder.makeFolder("iprecord", mode: mode)
        let path = try folder.makeStaleSocket("iprecord/control.sock")
        // Who is not root and owns the folder has it so by intention.
        let finding = try #require(findings(path).first)
        #expect(finding.state == (geteuid() == 0 ? .warning : .ok))
        let own = Patient(socket: path) { $0 == "XDG_RUNTIME_DIR" ? folder.path : nil }
        #expect(SocketCheck(patient: own).findings().map(\.state) == [.ok])
    }

    @Test(.enabled(if: Stranger.isPossible, "needs root, setpriv and a folder of programs that is open"))
    func `a folder that is closed to who asks is told with its mode`() throws {
        let inner = try folder.makeFolder("closed", mode: 0o700)
        try folder.makeStaleSocket("closed/a.sock")
        let ended = try BuiltIpctl.run(
            ["--json", "--socket", inner + "/a.sock", "doctor"], environment: Consulted.quickNames,
            prefix: Stranger.prefix)
        #expect(ended.status == 69)
        let finding = try #require(try Consulted.documents(in: ended).first)
        #expect(finding.check == "socket" && finding.state == "bad")
        #expect(finding.message == "the folder \(inner) is closed to you: its mode is 0700")
        #expect(finding.remedy == "sudo chmod 0755 \(inner)")
    }

    @Test(.enabled(if: Stranger.isPossible, "needs root, setpriv and a folder of programs that is open"))
    func `a socket that its owner alone may use is closed to a stranger, whoever listens`() throws {
        let server = try WireServer([], in: folder)
        chmod(server.path, 0o600)
        let ended = try BuiltIpctl.run(
            ["--json", "--socket", server.path, "doctor"], environment: Consulted.quickNames, prefix: Stranger.prefix)
        #expect(ended.status == 69)
        let findings = try Consulted.documents(in: ended).prefix(2)
        #expect(findings.map(\.check) == ["socket", "daemon"])
        #expect(findings.first?.remedy == "sudo chmod 0666 \(server.path)")
        #expect(findings.last?.message == "you may not connect to \(server.path)")
    }

    @Test func `a path that is too long is told as that`() {
        let finding = findings("/" + String(repeating: "a", count: 107)).first
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("107 bytes") == true)
    }

    @Test func `what a shell would take apart is quoted`() throws {
        let path = try folder.makeStaleSocket("a b's.sock", mode: 0o600)
        #expect(findings(path).first?.remedy?.hasSuffix(#"chmod 0666 '\#(folder.path)/a b'\''s.sock'"#) == true)
    }
}
