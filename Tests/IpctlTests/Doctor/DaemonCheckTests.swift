import Glibc
import TestSupport
import Testing
import Varlink

@testable import ipctl

@Suite struct DaemonCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func finding(_ socket: String, version: String = "1.2.3", timeout: Duration = .seconds(60)) -> Finding? {
        DaemonCheck(
            target: DoctorTarget(socket: socket) { _ in nil }, probe: DaemonProbe(at: socket, timeout: timeout),
            version: version, now: Sample.now
        ).findings().first
    }

    @Test func `a running daemon is reported with its version and uptime`() throws {
        let server = try WireServer(DoctorOutput.replies(Sample.status()))
        let finding = finding(server.path)
        #expect(finding?.state == .ok)
        #expect(finding?.message == "iprecordd 1.2.3 is running, up 2 h")
        #expect(server.calls.count == 3)
    }

    @Test func `a service that exited because of a damaged database has the commands to recover it`() throws {
        let missing = folder.file("no.sock")
        let target = DoctorTarget(socket: missing) { _ in nil }
        let probe = DaemonProbe(at: missing, timeout: .seconds(60))
        func remedy(_ exitStatus: Int32?) -> String? {
            DaemonCheck(target: target, probe: probe, version: "1.2.3", now: Sample.now, exitStatus: exitStatus)
                .findings().first?.remedy
        }
        #expect(remedy(65)?.contains("iprecordd --recover") == true)
        #expect(remedy(65)?.contains("systemctl stop iprecordd.socket iprecordd.service") == true)
        #expect(remedy(0)?.contains("--recover") == false)
        #expect(remedy(nil)?.contains("--recover") == false)
    }

    @Test func `another version is reported`() throws {
        let server = try WireServer(DoctorOutput.replies(Sample.status()))
        let finding = finding(server.path, version: "1.2.4")
        #expect(finding?.state == .warning)
        #expect(finding?.message.contains("1.2.4") == true)
        #expect(finding?.remedy?.contains("systemctl restart iprecordd") == true)
    }

    @Test func `a socket without a listener is left by a killed daemon`() throws {
        let path = try folder.makeStaleSocket("a.sock")
        let finding = finding(path)
        #expect(finding?.state == .bad)
        #expect(finding?.message.hasPrefix("no process is listening on \(path)") == true)
        #expect(finding?.remedy?.contains("systemctl restart iprecordd") == true)
    }

    @Test func `the last error in the journal is shown as the cause`() throws {
        let server = try WireServer([])
        let target = DoctorTarget(socket: server.path) { _ in nil }
        let check = DaemonCheck(
            target: target, probe: DaemonProbe(at: server.path, timeout: .seconds(60)), version: "1", now: 0,
            lastError: "the disk is gone")
        #expect(check.findings().map(\.state) == [.bad])
        let message = check.findings().first?.message
        #expect(message?.hasSuffix(" closed the connection; its last error in the journal: the disk is gone") == true)
    }

    @Test func `for a daemon that cannot start, no start is suggested`() {
        var target = DoctorTarget(socket: folder.file("a.sock")) { _ in nil }
        target.cannotStart = true
        let probe = DaemonProbe(at: folder.file("a.sock"))
        let daemon = DaemonCheck(target: target, probe: probe, version: "1", now: 0).findings()
        for finding in daemon + SocketCheck(target: target).findings() {
            #expect(finding.state == .bad)
            #expect(finding.remedy == "Fix the configuration first, see above")
        }
    }

    @Test func `without a socket, there is no daemon`() {
        let finding = finding(folder.file("a.sock"))
        #expect(finding?.state == .bad)
        #expect(finding?.message == "no daemon is running")
        #expect(finding?.remedy?.contains("systemctl start iprecordd") == true)
    }

    @Test func `a daemon that never replies is reported after a time limit`() throws {
        // The server waits for a second message, which never arrives, before it replies.
        let server = try WireServer([[], Array("late".utf8)])
        let finding = finding(server.path, timeout: .milliseconds(50))
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("did not reply within 50 ms") == true)
        #expect(finding?.remedy?.contains("journalctl -u iprecordd -e") == true)
    }

    @Test func `a closed connection is reported`() throws {
        let server = try WireServer([])
        let finding = finding(server.path)
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("closed the connection") == true)
    }

    @Test(arguments: ["nonsense", #"{"parameters":{"version":5}}"#])
    func `an invalid reply is an error, but the daemon is not missing`(reply: String) throws {
        let server = try WireServer(reply)
        let probe = DaemonProbe(at: server.path, timeout: .seconds(60))
        #expect(!probe.isDaemonMissing)
        let check = DaemonCheck(
            target: DoctorTarget(socket: server.path) { _ in nil }, probe: probe, version: "1", now: 0)
        #expect(check.findings().map(\.state) == [.bad])
    }

    @Test func `the kernel identifies the listening process`() throws {
        let server = try WireServer(DoctorOutput.replies(Sample.status()))
        #expect(DaemonProbe(at: server.path, timeout: .seconds(60)).answer?.process == ProcessCredentials.own)
    }
}
