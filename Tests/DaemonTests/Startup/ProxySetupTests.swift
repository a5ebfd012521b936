import Control
import IPAPI
import RecordKeeping
import Systemd
import TestSupport
import Testing

@testable import Daemon

/// The order of the origins of a proxy, and the requirements for them.
@Suite struct ProxySetupTests {
    private let folder: TemporaryFolder
    private let environment = ["http_proxy": "http://environment:4"]

    init() throws { folder = try TemporaryFolder() }

    private func setup(_ lines: String) throws -> Setup {
        let text =
            "[provider]\n\(lines)\n[control]\nsocket = \"\(folder.path)/a.sock\"\n"
            + "[store]\npath = \"\(folder.path)/a.db\"\n"
        return try Setup(configurationFile: folder.write(text, to: "a.toml"))
    }

    private func choice(_ lines: String, credentials: Credentials? = nil) throws -> ProxyChoice {
        try setup(lines).proxyChoice(
            environment: environment, credentials: credentials ?? Credentials(directory: folder.path))
    }

    @Test func `the configuration precedes the credential, and that the environment`() throws {
        #expect(try choice("").proxy?.description == "environment:4")
        try folder.write("# no proxy", to: "iprecord-proxy")
        #expect(try choice("").origin == .variable("http_proxy"), "the unit's fallback names no proxy")
        try folder.write("http://user:secret@credential:3\n", to: "iprecord-proxy")
        let credential = try choice("")
        #expect(credential.proxy?.description == "credential:3")
        #expect(credential.origin == .credential("iprecord-proxy"))
        let path = try folder.write("http://file:2\n", to: "proxy")
        let file = try choice("proxy-file = \"\(path)\"")
        #expect(file.proxy?.description == "file:2" && file.origin == .file(path: path))
        let configured = try choice("proxy = \"http://configured:1\"")
        #expect(configured.proxy?.description == "configured:1" && configured.origin == .configuration)
        let direct = try choice("proxy = \"none\"")
        #expect(direct.proxy == nil && direct.origin == .configuration)
        #expect(try choice("proxy = \"\"").proxy?.description == "credential:3", "empty is the default")
    }

    @Test func `local databases need no proxy, whatever the credential and the environment say`() throws {
        try folder.write("socks5://p:1", to: "iprecord-proxy")
        let setup = try setup("kind = \"mmdb\"\n[offline]\ndatabases = [\"/a.mmdb\"]")
        let choice = try setup.proxyChoice(
            environment: ["http_proxy": "socks5://p:1"], credentials: Credentials(directory: folder.path))
        #expect(choice == ProxyChoice(nil, from: .none))
    }

    @Test func `an unusable file or credential is an error that does not quote it`() throws {
        try folder.write("http://user:hunter2", to: "iprecord-proxy")
        let inCredential = try #require(throws: ProviderError.self) { try choice("") }
        let path = try folder.write("socks5://user:hunter2@p:1", to: "proxy")
        let inFile = try #require(throws: ProviderError.self) { try choice("proxy-file = \"\(path)\"") }
        #expect(inCredential.description.hasPrefix("the credential iprecord-proxy: not the URL of an HTTP proxy"))
        #expect(inFile.description.hasPrefix("\(path): not the URL of an HTTP proxy"))
        #expect(!(inCredential.description + inFile.description).contains("hunter2"))
    }

    private func violations(_ lines: String) throws -> [String] {
        StartRequirements(of: try setup(lines), at: .check).violations.map {
            $0.description.replacing(folder.file("a.toml") + ":", with: "").replacing(folder.path, with: "FOLDER")
        }
    }

    @Test func `a proxy that a start cannot use is a violation with file, line and key`() throws {
        let path = folder.file("proxy")
        #expect(
            try violations("proxy-file = \"\(path)\"") == [
                "2: provider.proxy-file: cannot read the proxy from FOLDER/proxy: No such file or directory"
            ])
        try folder.write("", to: "proxy")
        #expect(
            try violations("proxy-file = \"\(path)\"") == [
                "2: provider.proxy-file: the credential FOLDER/proxy is empty"
            ])
        try folder.write("http://user:hunter2", to: "proxy")
        let invalid = try violations("proxy-file = \"\(path)\"")
        #expect(invalid.count == 1 && invalid[0].hasPrefix("2: provider.proxy-file: FOLDER/proxy: not the URL of"))
        #expect(!invalid[0].contains("hunter2"))
        try folder.write("http://p:1", to: "proxy")
        #expect(try violations("proxy-file = \"\(path)\"") == [])
        #expect(
            try violations("proxy = \"p:1\"\nproxy-file = \"\(path)\"") == [
                "3: provider.proxy-file: proxy and proxy-file cannot be combined; remove one of them"
            ])
    }

    @Test func `a check reports the proxy and its origin, and a reload only reports a change`() throws {
        let setup = try setup("proxy = \"http://user:hunter2@p:1\"")
        let report = Setup.checkReport(configurationFile: setup.configurationPath, isRoot: true)
        #expect(report.settings?.proxy == "p:1")
        #expect(report.settings?.proxySentence == "calls to the provider go through the proxy p:1 ([provider] proxy)")
        #expect(report.settings?.proxyHasLogin == true)
        #expect(!"\(report)".contains("hunter2"))
        let path = setup.configurationPath
        _ = try self.setup("proxy = \"http://user:hunter2@p:2\"")
        #expect(path == setup.configurationPath)
        #expect(
            try setup.lists().warnings == ["provider.proxy changed; restart to apply: systemctl restart iprecordd"])
    }
}
