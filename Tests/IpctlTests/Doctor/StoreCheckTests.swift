import Control
import Foundation
import Glibc
import Testing
import Varlink

@testable import ipctl

@Suite struct StoreCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func findings(
        _ path: String, isOpen: Bool = true, refusal: String? = nil, space: FileSystem? = nil
    ) -> [Finding] {
        var check = StoreCheck(
            patient: Patient(socket: "/a.sock") { _ in nil }, path: path, isOpen: isOpen, refusal: refusal)
        if let space { check.space = { _ in space } }
        return check.findings()
    }

    @Test func `room enough is told with how much`() throws {
        let path = try folder.write("", to: "records.db")
        let space = FileSystem.known(freeBytes: 3 << 30, isReadOnly: false)
        #expect(findings(path, space: space).map(\.message) == ["\(path), 3 GiB free"])
        #expect(findings(path, space: space).map(\.state) == [.ok])
    }

    @Test(arguments: [(99, .warning), (15, .bad), (0, .bad), (100, .ok)] as [(UInt64, Finding.State)])
    func `little room is told before there is none`(mebibytes: UInt64, state: Finding.State) throws {
        let path = try folder.write("", to: "records.db")
        let finding = findings(path, space: .known(freeBytes: mebibytes << 20, isReadOnly: false)).first
        #expect(finding?.state == state)
        #expect(finding?.message.contains("\(mebibytes) MiB") == true)
        #expect(finding?.remedy?.contains("df -h \(folder.path)") ?? true)
    }

    @Test func `a real file system tells its room, and a full one is full`() throws {
        let path = try folder.write("", to: "records.db")
        #expect(findings(path).first?.message.hasPrefix(path) == true)
        // The kernel's own has no room for anybody.
        let full = findings("/proc/sys/records.db", isOpen: false)
        #expect(full.map(\.state) == [.bad])
        #expect(full.first?.message.contains("0 MiB") == true || full.first?.message.contains("read-only") == true)
    }

    @Test func `one that is mounted read-only is told`() throws {
        let path = try folder.write("", to: "records.db")
        let finding = findings(path, space: .known(freeBytes: 1 << 40, isReadOnly: true)).first
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("read-only") == true)
        #expect(finding?.remedy?.contains("remount,rw") == true)
    }

    @Test func `a database that was taken away under the daemon is told, with how to save the list`() throws {
        let finding = findings(folder.file("records.db")).first
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("is gone") == true)
        #expect(finding?.remedy?.contains("ipctl export") == true)
        #expect(findings(folder.file("records.db"), isOpen: false).contains { $0.message.contains("is gone") } == false)
    }

    @Test func `what cannot be seen from here is no fault, and not good either`() {
        let findings = findings(folder.file("no/folder/records.db"))
        #expect(findings.map(\.state) == [.skipped])
        #expect(findings.first?.message.contains("No such file or directory") == true)
    }

    @Test func `a daemon that cannot read its store says so when it is made to read`() throws {
        let failure = OutgoingReply.error(ControlError.storeFailed("disk I/O error"))
        let server = try WireServer([OutgoingReply.message(Sample.status()), failure])
        let refusal = Consultation(at: server.path).answer?.refusalOfStore
        #expect(refusal == "disk I/O error")
        let finding = findings(try folder.write("", to: "records.db"), refusal: refusal).first
        #expect(finding?.state == .bad)
        #expect(finding?.message.hasSuffix("disk I/O error") == true)
    }

    @Test func `a daemon that does not know the question refuses nothing`() throws {
        let failure = OutgoingReply.error(
            .service(.methodNotImplemented("io.iprecord.Control.Outages")) as ControlError)
        let server = try WireServer([OutgoingReply.message(Sample.status()), failure])
        let answer = try #require(Consultation(at: server.path).answer)
        #expect(answer.refusalOfStore == nil)
    }
}
