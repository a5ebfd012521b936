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

    private func findings(running: (endpoint: String, store: String)? = nil, program: String? = nil) -> [Finding] {
        ConfigurationCheck(patient: patient, program: program ?? self.program, running: running).findings()
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

    @Test func `a bad line of a watch list is told with its place`() throws {
        try configure("")
        let list = try folder.write("192.0.2.1\n8.8.8\n", to: "iprecord/watch.d/dns.list")
        let finding = try #require(findings().first)
        #expect(finding.state == .bad)
        #expect(finding.message.hasPrefix("line 2 of \(list): \"8.8.8\" is no IP address"))
        #expect(finding.remedy?.contains("ipctl reload") == true)
    }

    @Test func `a list that only we cannot read is no mistake in the configuration`() throws {
        try configure("")
        symlink("/nowhere/at/all", folder.file("iprecord/watch.d/a.list"))
        #expect(findings().map(\.state) == [.ok])
    }

    @Test func `a daemon that runs with something else is told, with what it has`() throws {
        try configure("[provider]\nendpoint = \"HTTP://IP-API.com:80/\"\n[store]\npath = \"/a/records.db\"\n")
        #expect(findings(running: ("http://ip-api.com", "/a/records.db")).map(\.state) == [.ok])
        let findings = findings(running: ("https://pro.ip-api.com", "/b/records.db"))
        #expect(findings.map(\.state) == [.warning, .warning])
        #expect(findings.first?.message.hasPrefix("the daemon asks https://pro.ip-api.com, and \(path) says ") == true)
        #expect(findings.last?.message == "the daemon's store is /b/records.db, and \(path) says /a/records.db")
        try configure("")
        #expect(self.findings(running: ("http://ip-api.com", folder.file("iprecord/records.db"))).map(\.state) == [.ok])
    }

    @Test func `where there is no program to judge it, that is told`() throws {
        try configure("[refresh]\ninterval = \"soon\"\n")
        let check = ConfigurationCheck(patient: patient, program: nil, running: nil)
        #expect(check.findings().map(\.message) == ["\(path), not judged: there is no iprecordd here"])
        let other = Patient(socket: folder.file("other.sock")) { _ in nil }
        #expect(ConfigurationCheck(patient: other, program: nil, running: nil).findings().map(\.state) == [.ok])
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
}
