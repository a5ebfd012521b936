import Control
import Glibc
import TestSupport
import Testing

@testable import ipctl

@Suite struct ConfigurationCheckTests {
    private let folder: TemporaryFolder
    private let program = BuiltIpctl.path.directory + "/iprecordd"

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("iprecord/watch.d")
    }

    /// A user's daemon with its configuration in the directory.
    private var target: DoctorTarget {
        DoctorTarget(socket: folder.file("iprecord/control.sock")) {
            ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"].contains($0) ? folder.path : nil
        }
    }

    private var path: String { folder.file("iprecord/iprecordd.toml") }

    @discardableResult
    private func configure(_ text: String) throws -> String {
        let watch = "[watch]\ndirectory = \"\(folder.path)/iprecord/watch.d\"\n"
        return try folder.write(watch + text, to: "iprecord/iprecordd.toml")
    }

    /// The status of a daemon, and the socket on which it is listening.
    private typealias Running = (status: Control.Status.Reply, socket: String?)

    private func findings(
        of target: DoctorTarget? = nil, running: Running? = nil
    ) -> [Finding] {
        let target = target ?? self.target
        return ConfigurationCheck(
            target: target, configuration: CheckedConfiguration.read(target.source, program: program),
            status: running?.status, listeningSocket: running?.socket
        ).findings()
    }

    /// A daemon that started some time after the configuration was written.
    private func running(
        endpoint: String = "http://192.0.2.1", store: String? = nil, interval: Int64 = 300_000, socket: String? = nil,
        startedAt: Int64 = Times.now + 3_600_000
    ) -> Running {
        var status = Sample.status()
        (status.provider.endpoint, status.refresh.interval) = (endpoint, interval)
        (status.store.path, status.startedAt) = (store ?? folder.file("iprecord/records.db"), startedAt)
        return (status, socket)
    }

    @Test func `a valid configuration is good, and a missing one has the defaults`() throws {
        #expect(findings().map(\.message) == ["\(path) does not exist: all keys have their defaults"])
        try configure("[provider]\nendpoint = \"http://192.0.2.1\"\n")
        #expect(findings() == [Finding(check: "configuration", state: .ok, message: "\(path) is valid", remedy: nil)])
    }

    @Test func `an error is reported with line and key, from iprecordd --check`() throws {
        try configure("[refresh]\ninterval = \"soon\"\n")
        let finding = try #require(findings().first)
        #expect(finding.state == .bad)
        #expect(finding.message.hasPrefix("\(path):4: refresh.interval: \"soon\" is not a duration"))
        #expect(finding.remedy?.contains("--config \(path) --check") == true)
    }

    @Test func `an invalid line of a watch list is not an error in the configuration`() throws {
        try configure("")
        try folder.write("192.0.2.1\n8.8.8\n", to: "iprecord/watch.d/dns.list")
        #expect(findings().map(\.state) == [.ok])
    }

    @Test func `a list that only the doctor cannot read is not an error in the configuration`() throws {
        try configure("")
        symlink("/nowhere/at/all", folder.file("iprecord/watch.d/a.list"))
        #expect(findings().map(\.state) == [.ok])
    }

    @Test func `a running daemon with other settings is reported with its settings`() throws {
        try configure("[provider]\nendpoint = \"HTTP://IP-API.com:80/\"\n[store]\npath = \"\(folder.path)/a.db\"\n")
        let same = findings(running: running(endpoint: "http://ip-api.com", store: folder.file("a.db")))
        #expect(same.map(\.message) == ["\(path) is valid and matches the running daemon"])
        let findings = findings(running: running(endpoint: "https://pro.ip-api.com", store: "/b/records.db"))
        #expect(findings.map(\.state) == [.warning, .warning])
        #expect(
            findings.map(\.message) == [
                "the daemon uses https://pro.ip-api.com, but \(path) says HTTP://IP-API.com:80/: restart needed",
                "the daemon's store is /b/records.db, but \(path) says \(folder.path)/a.db: restart needed",
            ])
        #expect(findings.allSatisfy { $0.remedy?.contains("stop the daemon, and start it again") == true })
    }

    @Test func `an interval or a socket that differs from the file needs a restart`() throws {
        try configure("[refresh]\ninterval = \"90s\"\n[provider]\nendpoint = \"http://192.0.2.1\"\n")
        let interval = findings(running: running())
        #expect(interval.map(\.state) == [.warning])
        #expect(
            interval.first?.message == "the daemon refreshes every 5 min, but \(path) says 90 s: restart needed")
        #expect(findings(running: running(interval: 90_000)).map(\.state) == [.ok])
        let usual = folder.file("iprecord/control.sock")
        #expect(findings(running: running(interval: 90_000, socket: usual)).map(\.state) == [.ok])
        #expect(
            findings(running: running(interval: 90_000, socket: "/a.sock")).map(\.message) == [
                "the daemon is listening on /a.sock, but \(path) says \(usual): restart needed"
            ])
    }

    @Test func `two paths of the same file are equal`() throws {
        try folder.write("", to: "iprecord/records.db")
        symlink(folder.file("iprecord/records.db"), folder.file("link.db"))
        try configure("[provider]\nendpoint = \"http://192.0.2.1\"\n")
        #expect(findings(running: running(store: folder.file("link.db"))).map(\.state) == [.ok])
    }

    @Test func `a file changed after the start may have settings that cannot be compared`() throws {
        try configure("[provider]\nendpoint = \"http://192.0.2.1\"\nlanguage = \"de\"\n")
        let finding = try #require(findings(running: running(startedAt: Times.now - 3_600_000)).first)
        #expect(finding.state == .skipped)
        #expect(finding.message.contains("after the daemon started"))
        #expect(finding.remedy?.contains("start it again") == true)
    }

    @Test func `without a file, the daemon has the defaults, or was started before its removal`() throws {
        #expect(findings(running: running(endpoint: "http://ip-api.com")).map(\.state) == [.ok])
        let finding = try #require(findings(running: running()).first)
        #expect(
            finding.message
                == "the daemon uses http://192.0.2.1, but the default (\(path) does not exist) says http://ip-api.com: "
                + "restart needed")
        var started = target
        started.apply(RunningDaemon(process: 7, command: ["iprecordd", "--config", path], isService: false, user: 7))
        let gone = findings(of: started, running: running())
        #expect(gone.map(\.state) == [.warning])
        #expect(gone.first?.message.contains("does not restart without") == true)
    }

    @Test(arguments: [
        "[refresh]\ninterval = 20\n", "[refresh]\ninterval = \"soon\"\n", "[refresh]\nintervall = \"90s\"\n",
        "[provider]\nendpoint = \"ftp://a\"\n", "[provider]\nendpoint = 7\n", "[refresh\n", "interval 20\n",
    ])
    func `an unreadable value is an error, and is not compared`(text: String) throws {
        try configure(text)
        let running = running(store: "/a/records.db", interval: 90_000, socket: "/a.sock")
        #expect(findings(running: running).map(\.state) == [.bad], "\(text)")
    }

    @Test func `a file that is not UTF-8 is not compared`() throws {
        try folder.write([0x5B, 0xFF, 0xFE, 0x00, 0x5D], to: "iprecord/iprecordd.toml")
        let running = running(store: "/a/records.db", interval: 90_000, socket: "/a.sock")
        #expect(findings(running: running).map(\.state) == [.bad])
    }

    @Test func `despite an error in one key, other keys are compared`() throws {
        try configure("[refresh]\ninterval = \"soon\"\n[provider]\nendpoint = \"http://192.0.2.9\"\n")
        #expect(findings(running: running(store: "/a/records.db")).map(\.state) == [.bad, .warning])
        #expect(findings(running: running(endpoint: "http://192.0.2.9")).map(\.state) == [.bad])
    }

    @Test func `the settings are those of the file, in any notation, and defaults`() throws {
        try folder.write(
            """
            \u{FEFF}# [provider]
            provider.endpoint = 'http://a' # free
            [store]\r
            path="/b"\r
            [ refresh ]
            interval = "90000ms"
            """, to: "iprecord/iprecordd.toml")
        let configuration = CheckedConfiguration.read(target.source, program: program)
        #expect(
            configuration.report?.settings
                == CheckReport.Settings(
                    interval: 90_000, endpoint: "http://a", keyFile: "", socket: folder.file("iprecord/control.sock"),
                    store: "/b"))
        #expect(configuration.report?.configuration == path)
        #expect(configuration.report?.lists?.directory == folder.file("iprecord/watch.d"))
    }

    @Test func `a relative path in the environment is ignored, as the daemon does`() throws {
        let environment = [
            "HOME": folder.path, "XDG_CONFIG_HOME": "relative", "XDG_RUNTIME_DIR": folder.path,
        ]
        let configuration = CheckedConfiguration.read(.user(environment), program: program)
        #expect(configuration.report?.configuration == folder.file(".config/iprecord/iprecordd.toml"))
        #expect(configuration.setting(\.store, of: "store.path") == folder.file(".local/state/iprecord/records.db"))
    }

    @Test func `a missing iprecordd is reported`() throws {
        try configure("[refresh]\ninterval = \"soon\"\n")
        let missing = CheckedConfiguration.read(target.source, program: nil)
        let findings = ConfigurationCheck(target: target, configuration: missing, status: nil).findings()
        #expect(findings.map(\.message) == ["not checked: iprecordd was not found"])
        #expect(findings.map(\.state) == [.skipped])
    }

    @Test func `it is not checked if it is unknown which configuration the daemon reads`() {
        let findings = findings(of: DoctorTarget(socket: folder.file("other.sock")) { _ in nil })
        #expect(findings.map(\.message) == ["not checked: cannot tell which configuration the daemon reads"])
        #expect(findings.map(\.state) == [.skipped])
    }

    @Test(arguments: ["/bin/true", "/none/iprecordd"])
    func `a program that prints no report is named`(program: String) {
        let failed = CheckedConfiguration.read(target.source, program: program)
        let findings = ConfigurationCheck(target: target, configuration: failed, status: nil).findings()
        #expect(findings.map(\.state) == [.warning])
        #expect(findings.first?.remedy?.contains("\(program) --check --json") == true)
    }

    // MARK: The daemon's configuration

    @Test func `the socket determines the daemon's files`() {
        let system = DoctorTarget(socket: "/run/iprecord/control.sock") { _ in nil }
        #expect(system.isService)
        #expect(system.source == .file("/etc/iprecord/iprecordd.toml"))
        let variables = ["XDG_RUNTIME_DIR": "/run/user/7", "HOME": "/home/a"]
        let user = DoctorTarget(socket: "/run/user/7/iprecord/control.sock") { variables[$0] }
        #expect(!user.isService)
        #expect(user.source == .user(variables))
        let other = DoctorTarget(socket: "/tmp/a.sock") { variables[$0] }
        #expect(other.source == nil)
        let configured = DoctorTarget(socket: "/a.sock", variable: { variables[$0] }, configuredSocket: "/a.sock")
        #expect(configured.source == .file("/etc/iprecord/iprecordd.toml") && configured.isService)
    }

    @Test func `the daemon's command line determines its files, whatever its socket is`() {
        func target(_ command: String..., user: uid_t = 7) -> DoctorTarget {
            var target = DoctorTarget(socket: "/tmp/a.sock") { _ in nil }
            target.apply(RunningDaemon(process: 5, command: command, isService: false, user: user))
            return target
        }
        let named = target("/usr/sbin/iprecordd", "--config", "/a b.toml")
        #expect(named.source == .file("/a b.toml") && named.needsConfiguration)
        #expect(
            named.restart == "stop the daemon (kill 5), and start it again: /usr/sbin/iprecordd --config '/a b.toml'")
        #expect(target("iprecordd", "--config=/c.toml").source == .file("/c.toml"))
        let roots = target("iprecordd", user: 0)
        #expect(roots.source == (geteuid() == 0 ? .system : .file("/etc/iprecord/iprecordd.toml")))
    }

    @Test func `another program's process is ignored`() {
        #expect(RunningDaemon(process: getpid(), user: getuid()) == nil)
    }
}
