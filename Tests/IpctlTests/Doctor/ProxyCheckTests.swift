import Control
import Glibc
import TestSupport
import Testing

@testable import ipctl

@Suite struct ProxyCheckTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        folder.open()
    }

    private func settings(
        _ proxy: String?, sentence: String? = nil, hasLogin: Bool = false, file: String = ""
    ) -> CheckReport.Settings {
        var settings = CheckReport.Settings(interval: 1, endpoint: "http://a", keyFile: "", socket: "/s", store: "/d")
        (settings.proxy, settings.proxySentence) = (proxy, sentence ?? proxy.map { "calls go through \($0)" })
        (settings.proxyHasLogin, settings.proxyFile) = (hasLogin, file)
        return settings
    }

    private func findings(
        used: String?, isRunning: Bool = true, _ settings: CheckReport.Settings?, isConfigured: Bool = true,
        file: String = "/none/iprecordd.toml"
    ) throws -> [Finding] {
        let target = DoctorTarget(
            socket: folder.file("iprecord/control.sock"),
            variable: { $0.hasPrefix("XDG") ? folder.path : nil })
        var reported = target
        reported.reportedFile = file
        return ProxyCheck(
            used: used, isRunning: isRunning, settings: settings, isConfigured: isConfigured, target: reported,
            reader: .own
        ).findings()
    }

    @Test func `without a proxy, there is no finding`() throws {
        #expect(try findings(used: nil, settings(nil), isConfigured: false) == [])
        #expect(try findings(used: nil, isRunning: false, nil, isConfigured: false) == [])
    }

    @Test func `the origin of the proxy is named`() throws {
        let configured = try findings(used: "p:1", settings("p:1"))
        #expect(configured.map(\.state) == [.ok] && configured[0].message == "calls go through p:1")
        let stopped = try findings(used: nil, isRunning: false, settings("p:1"))
        #expect(stopped.map(\.message) == ["calls go through p:1"])
        // The environment of the doctor is not that of the daemon.
        let environment = try findings(used: "q:2", settings("p:1"), isConfigured: false)
        #expect(environment.map(\.state) == [.ok])
        #expect(environment[0].message.hasPrefix("calls to the provider go through the proxy q:2, from the daemon's"))
    }

    @Test(
        arguments: [
            ("p:1", "q:2", "through the proxy p:1, but the configuration says through the proxy q:2"),
            (nil, "q:2", "directly, but the configuration says through the proxy q:2"),
            ("p:1", nil, "through the proxy p:1, but the configuration says directly"),
        ] as [(String?, String?, String)])
    func `a change after the start is reported`(used: String?, configured: String?, message: String) throws {
        let findings = try findings(used: used, settings(configured, sentence: "x"))
        #expect(findings.map(\.state) == [.warning])
        #expect(findings[0].message == "the daemon calls the provider \(message): restart needed")
    }

    @Test func `an unknown choice is not compared`() throws {
        #expect(try findings(used: "p:1", settings(nil)).map(\.state) == [.ok])
    }

    @Test func `a password that all users can read is reported`() throws {
        let path = try folder.write("", to: "a.toml")
        let settings = settings("p:1", hasLogin: true)
        chmod(path, 0o644)
        let readable = try findings(used: "p:1", settings, file: path)
        #expect(readable.map(\.state) == [.ok, .warning])
        #expect(readable[1].message.hasPrefix("all users can read the password of the proxy in \(path)"))
        chmod(path, 0o640)
        #expect(try findings(used: "p:1", settings, file: path).map(\.state) == [.ok])
    }

    @Test func `the file with the URL is checked like that of the key`() throws {
        let path = try folder.write("http://user:secret@p:1", to: "proxy")
        chmod(path, 0o644)
        let readable = try findings(used: "p:1", settings("p:1", hasLogin: true, file: path))
        #expect(readable.map(\.state) == [.ok, .warning])
        #expect(readable[1].message.hasPrefix("all users can read the proxy's URL in \(path)"))
        let missing = try findings(used: "p:1", settings(nil, file: folder.file("none")))
        #expect(missing.last?.state == .bad)
    }
}
