import Glibc
import Testing

@testable import ipctl

@Suite struct ConfigurationCheckTests {
    private let folder: TemporaryFolder
    private let program = BuiltIpctl.path.folder + "/iprecordd"

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("iprecord/watch.d")
    }

    /// A daemon that a user runs, whose configuration is in the folder.
    private var patient: Patient {
        Patient(socket: folder.file("iprecord/control.sock")) {
            ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"].contains($0) ? folder.path : nil
        }
    }

    private var path: String { folder.file("iprecord/iprecordd.toml") }

    @discardableResult
    private func configure(_ text: String) throws -> String {
        let watch = "[watch]\ndirectory = \"\(folder.path)/iprecord/watch.d\"\n"
        return try folder.write(watch + text, to: "iprecord/iprecordd.toml")
    }

    private func findings(running: ConfigurationCheck.Running? = nil, program: String? = nil) -> [Finding] {
        ConfigurationCheck(patient: patient, program: program ?? self.program, running: running).findings()
    }

    /// A daemon that started a while after the configuration was written.
    private func running(
        endpoint: String = "http://192.0.2.1", store: String? = nil, interval: Int64 = 300_000, socket: String? = nil,
        startedAt: Int64 = Times.now + 3_600_000
    ) -> ConfigurationCheck.Running {
        ConfigurationCheck.Running(
            endpoint: endpoint, store: store ?? folder.file("iprecord/records.db"), intervalMilliseconds: interval,
            socket: socket, startedAt: startedAt)
    }

    @Test func `a good one is good, and none has the defaults`() throws {
        #expect(findings().map(\.message) == ["there is no \(path): every key has its default"])
        try configure("[provider]\nendpoint = \"http://192.0.2.1\"\n")
        #expect(findings() == [Finding(check: "configuration", state: .ok, message: "\(path) is good", remedy: nil)])
    }

    @Test func `a mistake in it is told with line and key, by the daemon's own program`() throws {
        try configure("[refresh]\ninterval = \"soon\"\n")
        let finding = try #require(findings().first)
        #expect(finding.state == .bad)
        #expect(finding.message.hasPrefix("\(path):4: refresh.interval: \"soon\" is no duration"))
        #expect(finding.remedy?.contains("--config \(path) --check") == true)
    }

    @Test func `a bad line of a watch list is no mistake in the configuration: lists have a check of their own`() throws
    {
        try configure("")
        try folder.write("192.0.2.1\n8.8.8\n", to: "iprecord/watch.d/dns.list")
        #expect(findings().map(\.state) == [.ok])
    }

    @Test func `a list that only we cannot read is no mistake in the configuration`() throws {
        try configure("")
        symlink("/nowhere/at/all", folder.file("iprecord/watch.d/a.list"))
        #expect(findings().map(\.state) == [.ok])
    }

    @Test func `a daemon that runs with something else is told, with what it has`() throws {
        try configure("[provider]\nendpoint = \"HTTP://IP-API.com:80/\"\n[store]\npath = \"/a/records.db\"\n")
        let same = findings(running: running(endpoint: "http://ip-api.com", store: "/a/records.db"))
        #expect(same.map(\.message) == ["\(path) is good, and what the daemon runs with"])
        let findings = findings(running: running(endpoint: "https://pro.ip-api.com", store: "/b/records.db"))
        #expect(findings.map(\.state) == [.warning, .warning])
        #expect(
            findings.map(\.message) == [
                "the daemon asks https://pro.ip-api.com, and \(path) says HTTP://IP-API.com:80/: restart needed",
                "the daemon's store is /b/records.db, and \(path) says /a/records.db: restart needed",
            ])
        #expect(findings.allSatisfy { $0.remedy?.contains("end the daemon, and start it anew") == true })
    }

    @Test func `an interval or a socket that the file has and the daemon has not needs a restart`() throws {
        try configure("[refresh]\ninterval = \"90s\"\n[provider]\nendpoint = \"http://192.0.2.1\"\n")
        let interval = findings(running: running())
        #expect(interval.map(\.state) == [.warning])
        #expect(
            interval.first?.message == "the daemon refreshes every 5 min, and \(path) says 90 s: restart needed")
        #expect(findings(running: running(interval: 90_000)).map(\.state) == [.ok])
        let usual = folder.file("iprecord/control.sock")
        #expect(findings(running: running(interval: 90_000, socket: usual)).map(\.state) == [.ok])
        #expect(
            findings(running: running(interval: 90_000, socket: "/a.sock")).map(\.message) == [
                "the daemon listens at /a.sock, and \(path) says \(usual): restart needed"
            ])
    }

    @Test func `two paths of one file are the same`() throws {
        try folder.write("", to: "iprecord/records.db")
        symlink(folder.file("iprecord/records.db"), folder.file("link.db"))
        try configure("[provider]\nendpoint = \"http://192.0.2.1\"\n")
        #expect(findings(running: running(store: folder.file("link.db"))).map(\.state) == [.ok])
    }

    @Test func `a file that was written after the start may say what the daemon does not tell of`() throws {
        try configure("[provider]\nendpoint = \"http://192.0.2.1\"\nlanguage = \"de\"\n")
        let finding = try #require(findings(running: running(startedAt: Times.now - 3_600_000)).first)
        #expect(finding.state == .skipped)
        #expect(finding.message.contains("after the daemon's start"))
        #expect(finding.remedy?.contains("start it anew") == true)
    }

    @Test func `where there is no file, the daemon has the defaults or was started before it went`() throws {
        #expect(findings(running: running(endpoint: "http://ip-api.com")).map(\.state) == [.ok])
        let finding = try #require(findings(running: running()).first)
        #expect(
            finding.message
                == "the daemon asks http://192.0.2.1, and the default (there is no \(path)) says http://ip-api.com: "
                + "restart needed")
        var started = patient
        started.learn(RunningDaemon(process: 7, command: ["iprecordd", "--config", path], isService: false, user: 7))
        let gone = ConfigurationCheck(patient: started, program: program, running: running()).findings()
        #expect(gone.map(\.state) == [.warning])
        #expect(gone.first?.message.contains("does not start again without") == true)
    }

    @Test(arguments: [
        "[refresh]\ninterval = 20\n", "[refresh]\ninterval = \"soon\"\n", "[refresh]\nintervall = \"90s\"\n",
        "[provider]\nendpoint = \"ftp://a\"\n", "[provider]\nendpoint = 7\n", "[refresh\n", "interval 20\n",
    ])
    func `what cannot be read is a mistake, and is compared with nothing`(text: String) throws {
        try configure(text)
        let running = running(store: "/a/records.db", interval: 90_000, socket: "/a.sock")
        #expect(findings(running: running).map(\.state) == [.bad], "\(text)")
    }

    @Test func `a file that is no text is compared with nothing, be there a program that judges or not`() throws {
        try folder.write([0x5B, 0xFF, 0xFE, 0x00, 0x5D], to: "iprecord/iprecordd.toml")
        let running = running(store: "/a/records.db", interval: 90_000, socket: "/a.sock")
        #expect(findings(running: running).map(\.state) == [.bad])
        let unjudged = ConfigurationCheck(patient: patient, program: nil, running: running).findings()
        #expect(unjudged.map(\.state) == [.skipped])
    }

    @Test func `beside a mistake in one key, another that stands there is compared still`() throws {
        try configure("[refresh]\ninterval = \"soon\"\n[provider]\nendpoint = \"http://192.0.2.9\"\n")
        #expect(findings(running: running(store: "/a/records.db")).map(\.state) == [.bad, .warning])
        #expect(findings(running: running(endpoint: "http://192.0.2.9")).map(\.state) == [.bad])
    }

    @Test func `a byte order mark in front of it hides no section`() {
        #expect(ConfigurationFile(text: "\u{FEFF}[store]\npath = \"/b\"\n")["store", "path"] == "/b")
    }

    @Test func `where there is no program to judge it, that is told`() throws {
        try configure("[refresh]\ninterval = \"soon\"\n")
        let check = ConfigurationCheck(patient: patient, program: nil, running: nil)
        #expect(check.findings().map(\.message) == ["\(path) was not judged: there is no iprecordd here"])
        #expect(check.findings().map(\.state) == [.skipped])
        let other = Patient(socket: folder.file("other.sock")) { _ in nil }
        #expect(ConfigurationCheck(patient: other, program: nil, running: nil).findings().map(\.state) == [.skipped])
    }

    // MARK: What is read of it

    @Test func `texts are read by section and key, and all else is passed over`() {
        let file = ConfigurationFile(
            text: """
                # [provider]
                [ provider ]
                  endpoint = "http://a" # free
                #key-file = "/no"
                key-file = ""
                timeout = 10
                [store]\r
                path='/b'\r
                [watch]
                addresses = ["1.1.1.1"]
                """)
        let dotted = ConfigurationFile(text: "refresh . interval = \"9s\"\n")
        #expect(dotted["refresh", "interval"] == "9s")
        #expect(file["provider", "endpoint"] == "http://a")
        #expect(file["store", "path"] == "/b")
        #expect(file["provider", "key-file"] == nil)
        #expect(file["provider", "timeout"] == nil)
        #expect(file["watch", "addresses"] == nil)
    }

    @Test func `the files of a daemon go by its socket`() {
        let system = Patient(socket: "/run/iprecord/control.sock") { _ in nil }
        #expect(system.isService)
        #expect(system.configurationFile == "/etc/iprecord/iprecordd.toml")
        #expect(system.storePath == "/var/lib/iprecord/records.db")
        let variables = ["XDG_RUNTIME_DIR": "/run/user/7", "HOME": "/home/a"]
        let user = Patient(socket: "/run/user/7/iprecord/control.sock") { variables[$0] }
        #expect(!user.isService)
        #expect(user.configurationFile == "/home/a/.config/iprecord/iprecordd.toml")
        #expect(user.watchDirectory == "/home/a/.config/iprecord/watch.d")
        #expect(user.storePath == "/home/a/.local/state/iprecord/records.db")
        let other = Patient(socket: "/tmp/a.sock") { variables[$0] }
        #expect(other.configurationFile == nil && other.storePath == nil && other.watchDirectory == nil)
    }

    @Test func `what the daemon was started with tells where its files are, whatever its socket is`() {
        func patient(_ command: String..., user: uid_t = 7) -> Patient {
            var patient = Patient(socket: "/tmp/a.sock") { _ in nil }
            patient.learn(RunningDaemon(process: 5, command: command, isService: false, user: user))
            return patient
        }
        let named = patient("/usr/sbin/iprecordd", "--config", "/a b.toml")
        #expect(named.configurationFile == "/a b.toml" && named.needsConfiguration)
        #expect(named.watchDirectory == "/etc/iprecord/watch.d")
        #expect(
            named.restart == "end the daemon (kill 5), and start it anew: /usr/sbin/iprecordd --config '/a b.toml'")
        #expect(patient("iprecordd", "--config=/c.toml").configurationFile == "/c.toml")
        let roots = patient("iprecordd", user: 0)
        #expect(roots.configurationFile == "/etc/iprecord/iprecordd.toml" && !roots.needsConfiguration)
    }

    @Test func `a process that is another program tells nothing`() {
        #expect(RunningDaemon(process: getpid(), user: getuid()) == nil)
    }
}
