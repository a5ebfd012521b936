import Foundation
import IPAPI
import RecordKeeping
import Testing

@testable import Daemon

@Suite struct ConfigurationTests {
    /// All documented keys.
    static let keys: Set<String> = [
        "refresh.interval", "provider.endpoint", "provider.key-file", "provider.proxy", "provider.proxy-file",
        "provider.kind", "provider.language", "provider.timeout",
        "network.settle", "control.socket", "control.admin-group", "store.path", "store.keep-history", "store.backups",
        "watch.addresses", "watch.directory", "offline.databases", "log.level", "alerts.fields",
    ]

    private static func read(_ text: String) throws -> Configuration {
        try Configuration(text: text, file: "test.toml", places: .system)
    }

    @Test(arguments: [
        "", "# nothing\n",
        "[refresh]\n[provider]\n[network]\n[control]\n[store]\n[alerts]\n[watch]\n[offline]\n[log]\n",
    ])
    func `a missing key has the documented default`(text: String) throws {
        let configuration = try Self.read(text)
        #expect(configuration.interval == .seconds(300))
        #expect(configuration.kind == .http && configuration.reportedEndpoint == "http://ip-api.com")
        #expect(configuration.endpoint == "http://ip-api.com")
        #expect(configuration.keyFile == "")
        #expect(configuration.proxy == .unset)
        #expect(configuration.proxyFile == "")
        #expect(configuration.language == "en")
        #expect(configuration.timeout == .seconds(10))
        #expect(configuration.debounce == .milliseconds(250))
        #expect(configuration.socket == "/run/iprecord/control.sock")
        #expect(configuration.adminGroup == "iprecord")
        #expect(configuration.storePath == "/var/lib/iprecord/records.db")
        #expect(configuration.keepHistory == .seconds(90 * 86_400))
        #expect(configuration.backups == 7)
        #expect(configuration.alertFields == [.country, .city, .as, .isp, .proxy, .hosting])
        #expect(configuration.addresses == [])
        #expect(configuration.watchDirectory == "/etc/iprecord/watch.d")
        #expect(configuration.databases == [])
        #expect(configuration.logLevel == "info")
    }

    @Test func `every key is read`() throws {
        let configuration = try Self.read(
            """
            [refresh]
            interval = "90s"
            [provider]
            endpoint = "https://pro.ip-api.com"
            key-file = "/etc/iprecord/key"
            proxy = "http://user:secret@proxy.example:3128"
            proxy-file = "/etc/iprecord/proxy"
            language = "pt-BR"
            timeout = "2500ms"
            [network]
            settle = "0s"
            [control]
            socket = "/tmp/a.sock"
            admin-group = "wheel"
            [store]
            path = "/srv/records.db"
            keep-history = "2h"
            backups = 3
            [alerts]
            fields = ["reverse", "countryCode"]
            [watch]
            addresses = ["192.0.2.1", "2001:DB8::1"]
            directory = "/srv/lists"
            [offline]
            databases = ["/usr/share/GeoIP/GeoLite2-City.mmdb", "/var/lib/GeoIP/GeoLite2-ASN.mmdb"]
            [log]
            level = "debug"
            """)
        var expected = Configuration(places: .system)
        expected.interval = .seconds(90)
        expected.endpoint = "https://pro.ip-api.com"
        expected.keyFile = "/etc/iprecord/key"
        expected.proxy = .proxy(try HTTPProxy("http://user:secret@proxy.example:3128"))
        expected.proxyFile = "/etc/iprecord/proxy"
        expected.language = "pt-BR"
        expected.timeout = .milliseconds(2_500)
        expected.debounce = .zero
        expected.socket = "/tmp/a.sock"
        expected.adminGroup = "wheel"
        expected.storePath = "/srv/records.db"
        expected.keepHistory = .seconds(7_200)
        expected.backups = 3
        expected.alertFields = [.reverse, .countryCode]
        expected.addresses = [try IPAddress("192.0.2.1"), try IPAddress("2001:db8::1")]
        expected.watchDirectory = "/srv/lists"
        expected.databases = ["/usr/share/GeoIP/GeoLite2-City.mmdb", "/var/lib/GeoIP/GeoLite2-ASN.mmdb"]
        expected.logLevel = "debug"
        #expect(configuration == expected)
    }

    @Test func `local databases are the provider`() throws {
        let configuration = try Self.read("[provider]\nkind = \"mmdb\"\n[offline]\ndatabases = [\"/a.mmdb\"]")
        #expect(configuration.kind == .mmdb && configuration.databases == ["/a.mmdb"])
        #expect(configuration.reportedEndpoint == "mmdb")
    }

    @Test(arguments: [
        "refresh = { interval = \"90s\" }", "refresh.interval = \"90s\"", "['refresh']\n\"interval\"='90s'\r\n",
    ])
    func `every TOML notation of a key is accepted`(text: String) throws {
        #expect(try Self.read(text).interval == .seconds(90))
    }

    @Test(arguments: ["trace", "debug", "info", "notice", "warning", "error", "critical"])
    func `every level that the shipped file lists is accepted`(level: String) throws {
        #expect(try Self.read("[log]\nlevel = \"\(level)\"").logLevel == level)
    }

    @Test(arguments: ["en", "de", "es", "pt-BR", "fr", "ja", "zh-CN", "ru"])
    func `every language that the shipped file lists is accepted`(language: String) throws {
        #expect(try Self.read("[provider]\nlanguage = \"\(language)\"").language == language)
    }
}

/// The configuration file that is shipped.
@Suite struct ShippedConfigurationTests {
    private let text: String

    init() throws {
        let path = #filePath.replacing(
            "Tests/DaemonTests/Configuration/ConfigurationTests.swift", with: "etc/iprecordd.toml")
        text = try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Returns the file with every key uncommented, and the keys in order. If a key is shown twice in a row, the first
    /// is an example and is left out.
    private func uncommented() -> (text: String, keys: [String]) {
        var (lines, keys, section) = ([String](), [String](), "")
        for line in text.split(separator: "\n") {
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                section = String(line[..<end].dropFirst())
                lines.append(String(line))
            } else if let key = line.wholeMatch(of: /\u{23}([a-z-]+) = .*/)?.1 {
                if keys.last == "\(section).\(key)" { (_, _) = (lines.removeLast(), keys.removeLast()) }
                keys.append("\(section).\(key)")
                lines.append(String(line.dropFirst()))
            }
        }
        return (lines.joined(separator: "\n"), keys)
    }

    @Test func `the shipped file changes no default`() throws {
        #expect(try Configuration(text: text, file: "", places: .system) == Configuration(places: .system))
    }

    @Test func `the shipped file shows every key with its default`() throws {
        let (text, keys) = uncommented()
        #expect(Set(keys) == ConfigurationTests.keys)
        #expect(keys.count == ConfigurationTests.keys.count)
        #expect(try Configuration(text: text, file: "", places: .system) == Configuration(places: .system))
    }
}
