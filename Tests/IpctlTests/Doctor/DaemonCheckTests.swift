import Glibc
import Testing
import Varlink

@testable import ipctl

@Suite struct DaemonCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func finding(_ socket: String, version: String = "1.2.3", patience: Duration = .seconds(5)) -> Finding? {
        DaemonCheck(
            patient: Patient(socket: socket) { _ in nil }, consultation: Consultation(at: socket, patience: patience),
            version: version, now: Sample.now
        ).findings().first
    }

    @Test func `one that answers is told with its version and since when it is up`() throws {
        let server = try WireServer(Consulted.replies(Sample.status()))
        let finding = finding(server.path)
        #expect(finding?.state == .ok)
        #expect(finding?.message == "iprecordd 1.2.3 answers, up 2 h")
        #expect(server.calls.count == 2)
    }

    @Test func `one of another version is told`() throws {
        let server = try WireServer(Consulted.replies(Sample.status()))
        let finding = finding(server.path, version: "1.2.4")
        #expect(finding?.state == .warning)
        #expect(finding?.message.contains("1.2.4") == true)
        #expect(finding?.remedy?.contains("systemctl restart iprecordd") == true)
    }

    @Test func `a socket that nobody listens at any more is what a killed daemon leaves`() throws {
        let path = try folder.makeStaleSocket("a.sock")
        let finding = finding(path)
        #expect(finding?.state == .bad)
        #expect(finding?.message.hasPrefix("nobody listens at \(path)") == true)
        #expect(finding?.remedy?.contains("systemctl restart iprecordd") == true)
    }

    @Test func `no socket is no daemon`() {
        let finding = finding(folder.file("a.sock"))
        #expect(finding?.state == .bad)
        #expect(finding?.message == "no daemon is to be found")
        #expect(finding?.remedy?.contains("systemctl start iprecordd") == true)
    }

    @Test func `one that takes the call and never answers is stuck, and not waited for for ever`() throws {
        // Takes a second message, which never comes, before it says anything.
        let server = try WireServer([[], Array("late".utf8)])
        let finding = finding(server.path, patience: .milliseconds(50))
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("does not answer") == true)
        #expect(finding?.remedy?.contains("journalctl -u iprecordd -e") == true)
    }

    @Test func `one that hangs up is told`() throws {
        let server = try WireServer([])
        let finding = finding(server.path)
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("ended the connection") == true)
    }

    @Test(arguments: ["nonsense", #"{"parameters":{"version":5}}"#])
    func `nonsense is no answer, but somebody is there`(reply: String) throws {
        let server = try WireServer(reply)
        let consultation = Consultation(at: server.path)
        #expect(!consultation.isWithoutDaemon)
        let check = DaemonCheck(
            patient: Patient(socket: server.path) { _ in nil }, consultation: consultation, version: "1", now: 0)
        #expect(check.findings().map(\.state) == [.bad])
    }

    @Test func `who listens is known by the kernel`() throws {
        let server = try WireServer(Consulted.replies(Sample.status()))
        #expect(Consultation(at: server.path).answer?.process == DaemonProcess.own)
    }
}
