import Control
import Foundation
import Glibc
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

@Suite struct StoreCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func findings(
        _ path: String, isOpen: Bool = true, storeError: String? = nil, writeError: String? = nil,
        space: FileSystem? = nil, names: DirectoryNames? = nil
    ) -> [Finding] {
        var check = StoreCheck(
            target: DoctorTarget(socket: "/a.sock") { _ in nil }, path: path, isOpen: isOpen, storeError: storeError,
            writeError: writeError)
        if let space { check.space = { _ in space } }
        if let names { check.names = { _ in names } }
        return check.findings()
    }

    @Test func `sufficient space is reported with its size`() throws {
        let path = try folder.write("", to: "records.db")
        let space = FileSystem.known(freeBytes: 3 << 30, isReadOnly: false)
        #expect(findings(path, space: space).map(\.message) == ["\(path), 3 GiB free"])
        #expect(findings(path, space: space).map(\.state) == [.ok])
    }

    @Test func `without a daemon, a file that is not a database is reported with a remedy`() throws {
        let path = try folder.write("nonsense, and not a database", to: "records.db")
        #expect(findings(path).map(\.state) == [.ok], "the daemon has read it")
        let finding = try #require(findings(path, isOpen: false).first)
        #expect(finding.state == .bad)
        #expect(finding.message == "\(path) is not an SQLite database, or is damaged")
        #expect(finding.remedy?.contains("systemctl stop iprecordd.socket iprecordd.service") == true)
        #expect(finding.remedy?.contains("--recover") == true)
    }

    @Test func `an interrupted recovery is reported with a remedy`() throws {
        let path = try folder.write("SQLite format 3\0", to: "records.db")
        _ = try folder.write("SQLite format 3\0", to: "records.db.ready")
        let finding = try #require(findings(path, isOpen: false).first)
        #expect(finding.state == .bad && finding.message.contains("interrupted"))
        #expect(finding.remedy?.hasSuffix("iprecordd --recover") == true, "\(finding)")
    }

    @Test(arguments: ["", "SQLite format 3\0 and so on"])
    func `without a daemon, a possible database is reported as unchecked`(content: String) throws {
        let path = try folder.write(content, to: "records.db")
        let findings = findings(path, isOpen: false, space: .known(freeBytes: 3 << 30, isReadOnly: false))
        #expect(findings.map(\.state) == [.ok])
        #expect(findings.first?.message.hasSuffix("; its contents are checked when the daemon starts") == true)
    }

    @Test(
        arguments: [
            (99, true, .warning), (15, true, .warning), (0, true, .warning), (100, true, .ok), (99, false, .warning),
            (15, false, .bad), (0, false, .bad),
        ] as [(UInt64, Bool, Finding.State)])
    func `low space is a warning while the daemon can write`(
        mebibytes: UInt64, isOpen: Bool, state: Finding.State
    ) throws {
        let path = try folder.write("", to: "records.db")
        let space = FileSystem.known(freeBytes: mebibytes << 20, isReadOnly: false)
        let finding = findings(path, isOpen: isOpen, space: space).first
        #expect(finding?.state == state)
        #expect(finding?.remedy?.contains("keep-history") != true, "a shorter history frees no space")
        #expect(finding?.message.contains("\(mebibytes) MiB") == true)
        #expect(finding?.remedy?.contains("df -h \(folder.path)") ?? true)
    }

    @Test func `a real file system has its free space, and a full one has none`() throws {
        let path = try folder.write("", to: "records.db")
        #expect(findings(path).first?.message.hasPrefix(path) == true)
        // The proc file system has no free space.
        let full = findings("/proc/sys/records.db", isOpen: false)
        #expect(full.map(\.state) == [.bad])
        #expect(full.first?.message.contains("0 MiB") == true || full.first?.message.contains("read-only") == true)
    }

    @Test func `a daemon that cannot write reports the reason, whatever the free space`() throws {
        let path = try folder.write("", to: "records.db")
        let status = Sample.status { $0.storeFailure = "database or disk is full" }
        let ended = try BuiltIpctl.run(
            try WireServer(DoctorOutput.replies(status)), "--json", "doctor", environment: DoctorOutput.quickNames)
        let store = try #require(try DoctorOutput.documents(in: ended).first { $0.check == "store" })
        #expect(store.state == "bad")
        #expect(store.message == "the daemon cannot write /var/lib/iprecord/records.db: database or disk is full")
        #expect(store.remedy?.contains("delete other files") == true)
        #expect(findings(path, space: .known(freeBytes: 3 << 30, isReadOnly: false)).map(\.state) == [.ok])
    }

    @Test func `the copy of a recovered database is reported with its newest name`() throws {
        let path = try folder.write("", to: "records.db")
        _ = try folder.write("", to: "records.db.damaged-1700000000")
        let copy = try folder.write("", to: "records.db.damaged-1800000000")
        let space = FileSystem.known(freeBytes: 3 << 30, isReadOnly: false)
        let finding = try #require(findings(path, space: space).first)
        #expect(finding.state == .warning)
        #expect(finding.message == "\(path) was recovered or restored; the previous database is kept in \(copy)")
        #expect(finding.remedy?.contains("rm \(copy)") == true)
        #expect(findings(path, space: space).map(\.state) == [.warning, .ok])
    }

    @Test func `a directory that cannot be listed leaves the database unchecked`() throws {
        let path = try folder.write("", to: "records.db")
        let space = FileSystem.known(freeBytes: 3 << 30, isReadOnly: false)
        let findings = findings(path, space: space, names: .unknown(errno: EACCES))
        #expect(findings.map(\.state) == [.skipped])
        #expect(
            findings.first?.message
                == "\(path), 3 GiB free; not checked if it was recovered or restored: you cannot list \(folder.path)")
        #expect(findings.first?.remedy?.contains("sudo ipctl doctor") == true)
        let full = FileSystem.known(freeBytes: 0, isReadOnly: false)
        #expect(
            self.findings(path, space: full, names: .unknown(errno: EACCES)).map(\.state) == [.warning, .skipped],
            "problems are still reported")
    }

    @Test(.enabled(if: UnprivilegedUser.isPossible, "needs root, setpriv and a folder of programs that is open"))
    func `a user without access to the directory is not shown a good database`() throws {
        folder.open()
        let directory = try folder.makeFolder("closed", mode: 0o700)
        var status = Sample.status()
        status.store.path = try folder.write("", to: "closed/records.db")
        let server = try WireServer(DoctorOutput.replies(status), in: folder)
        chmod(server.path, 0o666)
        let ended = try BuiltIpctl.run(
            ["--json", "--socket", server.path, "doctor"], environment: DoctorOutput.quickNames,
            prefix: UnprivilegedUser.prefix)
        let store = try #require(try DoctorOutput.documents(in: ended).first { $0.check == "store" })
        #expect(store.state == "skipped")
        #expect(store.message.hasSuffix("not checked if it was recovered or restored: you cannot list \(directory)"))
    }

    @Test(
        arguments: [
            ("/d/records.db: database or disk is full (SQLite error 13)", "Free space for "),
            ("/d/records.db: disk I/O error (SQLite error 778)", "journalctl -k"),
            ("/d/records.db: attempt to write a readonly database (SQLite error 8)", "remount,rw"),
            ("/d/records.db is damaged (database disk image is malformed); stop", "--recover"),
            ("it went wrong", "See journalctl -u iprecordd"),
        ])
    func `the remedy for a store error depends on the message`(message: String, remedy: String) throws {
        let path = try folder.write("", to: "records.db")
        let space = FileSystem.known(freeBytes: 3 << 30, isReadOnly: false)
        let errors =
            findings(path, writeError: message, space: space)
            + findings(path, storeError: message, space: space).filter { $0.state == .bad }
        #expect(errors.map(\.state) == [.bad, .bad])
        for finding in errors {
            #expect(finding.remedy?.contains(remedy) == true, "\(finding)")
            #expect(finding.remedy?.contains("Free space") == message.contains("is full"))
        }
    }

    @Test func `the file system explains a write error that does not name the cause`() throws {
        let path = try folder.write("", to: "records.db")
        func remedy(_ space: FileSystem) -> String? {
            findings(path, writeError: "disk I/O error", space: space).first?.remedy
        }
        #expect(remedy(.known(freeBytes: 0, isReadOnly: false))?.hasPrefix("Free space for ") == true)
        #expect(remedy(.known(freeBytes: 0, isReadOnly: true))?.contains("remount,rw") == true)
        #expect(remedy(.unknown(errno: EACCES))?.contains("journalctl -k") == true)
    }

    @Test func `a read-only file system is reported`() throws {
        let path = try folder.write("", to: "records.db")
        let finding = findings(path, space: .known(freeBytes: 1 << 40, isReadOnly: true)).first
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("read-only") == true)
        #expect(finding?.remedy?.contains("remount,rw") == true)
    }

    @Test func `a database deleted under the daemon is reported with commands to save the list`() throws {
        let finding = findings(folder.file("records.db")).first
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("was deleted") == true)
        #expect(finding?.remedy?.contains("ipctl export") == true)
        #expect(
            findings(folder.file("records.db"), isOpen: false).contains { $0.message.contains("was deleted") } == false)
    }

    @Test func `an unknown file system is skipped`() {
        let findings = findings(folder.file("no/folder/records.db"))
        #expect(findings.map(\.state) == [.skipped])
        #expect(findings.first?.message.contains("No such file or directory") == true)
    }

    @Test func `a daemon that cannot read its store reports it`() throws {
        let failure = OutgoingReply.error(ControlError.storeFailed("disk I/O error"))
        let server = try WireServer([OutgoingReply.message(Sample.status()), failure])
        let storeError = DaemonProbe(at: server.path, timeout: .seconds(60)).answer?.storeError
        #expect(storeError == "disk I/O error")
        let finding = findings(try folder.write("", to: "records.db"), storeError: storeError).first
        #expect(finding?.state == .bad)
        #expect(finding?.message.hasSuffix("disk I/O error") == true)
    }

    @Test(arguments: ["History", "Monitor"])
    func `a daemon that cannot read its changes or its events reports it`(method: String) throws {
        let reason = "database disk image is malformed"
        let failure = OutgoingReply.error(ControlError.storeFailed(reason))
        let entry = try Sample.entry(.fresh, record: nil, scanned: -1, changed: -1)
        let history = OutgoingReply.message(Control.History.Reply(changes: []))
        let server = try WireServer(
            DoctorOutput.replies(Sample.status(), changed: entry) + (method == "History" ? [] : [history]) + [failure])
        #expect(DaemonProbe(at: server.path, timeout: .seconds(60)).answer?.storeError == reason)
        #expect(server.calls.last?.contains("io.iprecord.Control.\(method)\"") == true)
    }

    @Test func `an error of one call does not prevent the others`() throws {
        let entry = try Sample.entry(.fresh, record: nil, scanned: -1, changed: -1)
        let event = try Sample.event(.added)
        let server = try WireServer(
            DoctorOutput.replies(Sample.status(), changed: entry) + [
                OutgoingReply.error(ControlError.notWatched(Sample.address)),
                OutgoingReply.message(["event": event], continues: true),
            ])
        let answer = try #require(DaemonProbe(at: server.path, timeout: .seconds(60)).answer)
        #expect(answer.storeError == nil)
        #expect(answer.lastEventAt == event.at)
    }

    @Test func `a daemon without the method has no store error`() throws {
        let failure = OutgoingReply.error(
            .service(.methodNotImplemented("io.iprecord.Control.Outages")) as ControlError)
        let server = try WireServer([OutgoingReply.message(Sample.status()), failure])
        let answer = try #require(DaemonProbe(at: server.path, timeout: .seconds(60)).answer)
        #expect(answer.storeError == nil)
    }
}
