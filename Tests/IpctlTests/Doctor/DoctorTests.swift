import Control
import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

@testable import RecordKeeping
@testable import ipctl

/// `ipctl doctor` with the built program.
@Suite struct DoctorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        folder.open()
        try folder.makeFolder("iprecord")
        try folder.makeFolder("watch.d")
        try folder.write("", to: "records.db")
        try folder.write(
            "[provider]\nendpoint = \"http://127.0.0.1:1\"\n[store]\npath = \"\(folder.path)/records.db\"\n"
                + "[watch]\ndirectory = \"\(folder.path)/watch.d\"\n",
            to: "iprecord/iprecordd.toml")
        // The file is much older than the daemon's start.
        let longAgo = timeval(tv_sec: 1_700_000_000, tv_usec: 0)
        utimes(folder.file("iprecord/iprecordd.toml"), [longAgo, longAgo])
    }

    /// The environment of a user's daemon with all files in the directory.
    private var environment: [String: String] {
        let names = ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, folder.path) }).merging(DoctorOutput.quickNames) { $1 }
    }

    /// The status of a healthy daemon of this version that has just started.
    private func status(_ change: (inout Control.Status.Reply) -> Void = { _ in }) -> Control.Status.Reply {
        let now = Times.now
        var status = Sample.status { $0.counts.byState = [.fresh: 1_503] }
        status.version = Ipctl.version
        status.startedAt = now - 60_000
        status.network.since = now - 60_000
        status.provider.since = now - 60_000
        status.provider.lastCallAt = now - 1_000
        status.provider.endpoint = "http://127.0.0.1:1"
        status.store.path = folder.file("records.db")
        change(&status)
        return status
    }

    private func run(
        _ status: Control.Status.Reply, _ arguments: String..., terminal: FileHandle? = nil
    ) throws -> BuiltIpctl.Ended {
        let server = try WireServer(DoctorOutput.replies(status), in: folder, name: "iprecord/control.sock")
        chmod(server.path, 0o666)
        let ended = try BuiltIpctl.run(
            arguments + ["doctor"], environment: environment.merging(["TERM": "xterm"]) { $1 }, terminal: terminal)
        unlink(server.path)
        return ended
    }

    @Test func `without problems, each check prints one line, and the exit status is 0`() throws {
        let ended = try run(status())
        #expect(ended.errors == "")
        let lines = ended.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("✓ ") }, "\(ended.output)")
        #expect(ended.output.contains("iprecordd.toml is valid and matches the running daemon"))
        let checks = lines.map { $0.split(separator: " ")[1] }
        #expect(
            checks == [
                "socket", "daemon", "store", "clock", "endpoint", "name", "network", "provider", "quota", "records",
                "key", "lists", "configuration",
            ])
        #expect(ended.status == 0)
        #expect(!ended.output.contains("\u{1B}"), "colours are for terminals")
    }

    @Test func `a problem is reported with a remedy on the next line, and the exit status is 1`() throws {
        let ended = try run(
            status {
                $0.network.state = "offline"
                $0.network.reason = "no carrier: eth0"
                $0.refresh.load = 1.5
            })
        #expect(ended.status == 1)
        let lines = ended.output.split(separator: "\n").map(String.init)
        let index = try #require(lines.firstIndex { $0.hasPrefix("✗ network ") })
        #expect(lines[index].hasSuffix(": no carrier: eth0"))
        #expect(lines[index + 1].hasSuffix("→ Check the cable, the switch or the Wi-Fi: ip link show dev eth0"))
        #expect(lines.contains { $0.hasPrefix("✗ quota ") })
        #expect(lines.filter { $0.contains("→") }.count == 2)
        let provider = lines.first { $0.contains(" provider ") }
        #expect(provider?.hasPrefix("– provider      unknown while there is no route to ip-api.com: ") == true)
    }

    @Test func `local databases are checked if there are any`() throws {
        let ended = try run(
            status { $0.databases = [.init(path: "/a.mmdb", failure: "cannot read the MMDB file /a.mmdb")] })
        #expect(ended.status == 1)
        #expect(ended.output.contains("✗ databases     cannot read the MMDB file /a.mmdb\n"), "\(ended.output)")
    }

    @Test func `with --json there is a document for each finding`() throws {
        let ended = try run(status { $0.refresh.load = 1.5 }, "--json")
        #expect(ended.status == 1)
        let documents = try DoctorOutput.documents(in: ended)
        #expect(documents.count == 13)
        #expect(documents.filter { $0.state != "ok" }.map(\.check) == ["quota"])
        for document in documents { #expect((document.remedy == nil) == (document.state == "ok")) }
        #expect(ended.output.hasPrefix(#"{"check":"socket","message":""#))
        #expect(ended.output.contains(#""remedy":null"#))
    }

    @Test func `during the first call, the provider's state is unknown`() throws {
        let ended = try run(
            status {
                $0.provider.state = "idle"
                ($0.provider.calls, $0.provider.failures, $0.refresh.load) = (1, 0, nil)
            }, "--json")
        #expect(ended.status == 0)
        let skipped = try DoctorOutput.documents(in: ended).filter { $0.state == "skipped" }
        #expect(skipped.map(\.check) == ["provider", "quota"])
    }

    @Test func `a warning counts as a problem`() throws {
        let ended = try run(status { $0.version = "0.0.1" })
        #expect(ended.status == 1)
        #expect(ended.output.contains("\n! daemon "))
    }

    @Test func `on a terminal the marks are coloured, and the daemon's text cannot add sequences`() throws {
        let terminal = try #require(PseudoTerminal(columns: 80))
        let ended = try run(
            status {
                $0.network.state = "offline"
                $0.network.reason = "no \u{1B}[5mroute"
            }, terminal: terminal.far)
        #expect(ended.status == 1)
        let lines = try terminal.lines()
        #expect(lines.contains { $0.hasPrefix("\u{1B}[32m✓\u{1B}[0m socket") })
        #expect(lines.contains { $0.hasPrefix("\u{1B}[31m✗\u{1B}[0m network") })
        #expect(!lines.joined().contains("\u{1B}[5m"))
    }

    @Test func `without a daemon, the checks that need none still run, and the exit status is 69`() throws {
        try folder.makeStaleSocket("iprecord/control.sock")
        let ended = try BuiltIpctl.run(["--json", "doctor"], environment: environment)
        #expect(ended.status == 69)
        let documents = try DoctorOutput.documents(in: ended)
        #expect(
            documents.map(\.check) == [
                "socket", "daemon", "store", "clock", "endpoint", "name", "network", "provider", "quota", "records",
                "key", "lists", "configuration",
            ])
        #expect(documents.filter { $0.state == "bad" }.map(\.check) == ["daemon"])
        #expect(documents.filter { $0.state == "skipped" }.map(\.check) == ["provider", "quota", "records"])
    }

    @Test func `configuration errors that prevent the start come first, and no start is suggested`() throws {
        try folder.write("[refresh]\nintervall = \"5m\"\n", to: "iprecord/iprecordd.toml")
        let ended = try BuiltIpctl.run(
            ["--json", "--socket", folder.file("iprecord/control.sock"), "doctor"], environment: environment)
        #expect(ended.status == 69)
        let documents = try DoctorOutput.documents(in: ended)
        #expect(documents.prefix(3).map(\.check) == ["configuration", "socket", "daemon"])
        #expect(documents.filter { $0.check == "configuration" }.count == 1)
        #expect(documents.first?.message.contains(":2: refresh.intervall: ") == true)
        for document in documents.prefix(3).dropFirst() {
            #expect(document.state == "bad")
            #expect(document.remedy == "Fix the configuration first, see above")
        }
    }

    @Test func `a skipped check has its own mark and a reason`() throws {
        let server = try WireServer(DoctorOutput.replies(status()))
        chmod(server.path, 0o666)
        let ended = try BuiltIpctl.run(["--socket", server.path, "doctor"], environment: DoctorOutput.quickNames)
        let lines = ended.output.split(separator: "\n").map(String.init)
        let skipped = lines.filter { $0.hasPrefix("– ") }
        #expect(skipped.map { $0.split(separator: " ")[1] } == ["key", "lists", "configuration"], "\(ended.output)")
        #expect(skipped.allSatisfy { $0.contains("not checked: cannot tell which") })
        #expect(!lines.contains { $0.hasPrefix("✓") && $0.contains("not checked") })
    }

    @Test func `a clock set back since the daemon's start is reported`() throws {
        let ended = try run(status { $0.startedAt = Times.now + 7_200_000 }, "--json")
        #expect(ended.status == 1)
        let clock = try #require(try DoctorOutput.documents(in: ended).first { $0.check == "clock" })
        #expect(clock.state == "warning")
        #expect(clock.message.hasPrefix("the clock was set back: the daemon recorded that it started "))
        #expect(clock.remedy?.contains("timedatectl") == true)
    }

    @Test(.enabled(if: canUnshare, "needs root and unshare"))
    func `a missing daemon and a missing route are both reported`() throws {
        try folder.write("[provider]\nendpoint = \"http://192.0.2.1\"\n", to: "iprecord/iprecordd.toml")
        try folder.makeStaleSocket("iprecord/control.sock")
        let ended = try BuiltIpctl.run(["--json", "doctor"], environment: environment, prefix: Self.unshared)
        #expect(ended.status == 69)
        let network = try #require(try DoctorOutput.documents(in: ended).first { $0.check == "network" })
        #expect(network.state == "bad")
        #expect(network.message == "the kernel has no route to 192.0.2.1: Network is unreachable")
        #expect(network.remedy?.contains("ip route get 192.0.2.1") == true)
    }

    private static let unshared = ["/usr/bin/unshare", "--net"]
    private static let canUnshare =
        geteuid() == 0 && (try? BuiltIpctl.run(["--version"], prefix: unshared).status) == 0

    @Test func `an invalid reply is a problem, but not a missing daemon`() throws {
        let server = try WireServer("nonsense")
        let ended = try BuiltIpctl.run(["--socket", server.path, "doctor"], environment: DoctorOutput.quickNames)
        #expect(ended.status == 1)
        #expect(ended.output.contains("✗ daemon"))
    }

    @Test func `the doctor calls only methods that change nothing and cause no request to the provider`() throws {
        let entry = try Sample.entry(.fresh, record: Sample.record, scanned: -1, changed: -1)
        let replies =
            DoctorOutput.replies(status(), changed: entry)
            + [
                OutgoingReply.message(Control.History.Reply(changes: [])),
                OutgoingReply.message(["event": try Sample.event(.added)], continues: true),
            ]
        let server = try WireServer(replies)
        _ = try BuiltIpctl.run(["--socket", server.path, "doctor"], environment: DoctorOutput.quickNames)
        let methods = server.calls.map { call in
            call.firstMatch(of: /"method":"io\.iprecord\.Control\.(\w+)"/).map { String($0.1) }
        }
        #expect(methods == ["Status", "Outages", "List", "History", "Monitor"])
    }
}
