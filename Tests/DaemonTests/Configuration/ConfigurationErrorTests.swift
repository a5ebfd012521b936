import Testing

@testable import Daemon

@Suite struct ConfigurationErrorTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int?
        let key: String?
        /// Parts of the error's text: the problem, and the expected values.
        let parts: [String]
        var testDescription: String { text }

        init(_ text: String, line: Int?, _ key: String?, _ parts: String...) {
            self.text = text
            self.line = line
            self.key = key
            self.parts = parts
        }
    }

    private static let long = String(repeating: "a", count: 107)

    @Test(
        arguments: [
            // Unknown sections and keys.
            Mistake("\n[refesh]\ninterval = \"5m\"", line: 2, "refesh", "unknown section", "refresh"),
            Mistake(
                "# one\n\n[refresh]\n# two\n  intervall = \"5m\"", line: 5, "refresh.intervall", "unknown key",
                "interval"),
            Mistake("interval = \"5m\"", line: 1, "interval", "unknown section"),
            Mistake("refresh = 5", line: 1, "refresh", "[refresh]"),
            Mistake("[log]\n[[refresh]]\ninterval = \"5m\"", line: 2, "refresh", "[refresh]"),
            Mistake("[log]\n\n[provider.extra]\na = 1", line: 3, "provider.extra", "unknown key", "endpoint"),
            Mistake("[alerts]\n\nfield = []", line: 3, "alerts.field", "unknown key", "fields"),
            Mistake("[alerts]\nfields = \"city\"", line: 2, "alerts.fields", "expected a list", "[\"country\""),
            Mistake("[alerts]\nfields = [7]", line: 2, "alerts.fields", "quotes"),
            Mistake(
                "[alerts]\nfields = [\"city\", \"town\"]", line: 2, "alerts.fields", "\"town\" is not a field",
                "countryCode"),
            // Values of a wrong type.
            Mistake("[refresh]\ninterval = 300", line: 2, "refresh.interval", "quotes"),
            Mistake("[refresh]\ninterval = true", line: 2, "refresh.interval", "quotes"),
            Mistake("[control]\nsocket = [\"/run/a\"]", line: 2, "control.socket", "quotes"),
            Mistake("[watch]\naddresses = \"192.0.2.1\"", line: 2, "watch.addresses", "list"),
            Mistake("[watch]\naddresses = [\"192.0.2.1\", 5]", line: 2, "watch.addresses", "quotes"),
            Mistake("[offline]\ndatabases = \"/a.mmdb\"", line: 2, "offline.databases", "expected a list", ".mmdb"),
            Mistake("[offline]\ndatabases = [7]", line: 2, "offline.databases", "quotes"),
            // Keys that contradict each other.
            Mistake(
                "[provider]\nkind = \"mmdb\"", line: 2, "provider.kind", "requires the files", "[offline]"),
            Mistake(
                "[offline]\ndatabases = [\"/a\"]\n[provider]\nkind = \"mmdb\"\nkey-file = \"/k\"", line: 5,
                "provider.key-file", "not used with kind = \"mmdb\"", "remove"),
            Mistake(
                "[network]\nsettle = \"1s\"\n[offline]\ndatabases = [\"/a\"]\n[provider]\nkind = \"mmdb\"", line: 2,
                "network.settle", "needs no network"),
            // Values that are invalid or out of bounds.
            Mistake("[provider]\nkind = \"geo\"", line: 2, "provider.kind", "\"geo\"", "http, mmdb"),
            Mistake("[offline]\ndatabases = [\"a.mmdb\"]", line: 2, "offline.databases", "absolute"),
            Mistake(
                "[offline]\ndatabases = [\"/a\", \"/b\", \"/a\"]", line: 2, "offline.databases", "/a is listed twice"),
            Mistake(
                "[offline]\ndatabases = \((0..<17).map { "/\($0)" })", line: 2, "offline.databases", "at most 16",
                "got 17"),
            Mistake("[refresh]\ninterval = \"5 minutes\"", line: 2, "refresh.interval", "5 minutes", "\"5m\""),
            Mistake("[refresh]\ninterval = \"999ms\"", line: 2, "refresh.interval", "too short", "1"),
            Mistake("[refresh]\ninterval = \"0s\"", line: 2, "refresh.interval", "too short"),
            Mistake("[refresh]\ninterval = \"900000d\"", line: 2, "refresh.interval", "900000d"),
            Mistake("[provider]\ntimeout = \"99ms\"", line: 2, "provider.timeout", "too short"),
            Mistake("[network]\nsettle = \"-1s\"", line: 2, "network.settle", "-1s"),
            Mistake("[store]\nkeep-history = \"1ms\"", line: 2, "store.keep-history", "too short"),
            Mistake("[store]\nbackups = -1", line: 2, "store.backups", "from 0 to 1000"),
            Mistake("[store]\nbackups = 1001", line: 2, "store.backups", "from 0 to 1000"),
            Mistake("[store]\nbackups = 1.5", line: 2, "store.backups", "whole number"),
            Mistake("[store]\nbackups = \"7\"", line: 2, "store.backups", "without quotes"),
            Mistake("[provider]\nendpoint = \"ip-api.com\"", line: 2, "provider.endpoint", "http://"),
            Mistake("[provider]\nendpoint = \"ftp://ip-api.com\"", line: 2, "provider.endpoint", "ftp", "https"),
            Mistake("[provider]\n\nlanguage = \"xx\"", line: 3, "provider.language", "xx", "pt-BR"),
            Mistake("[control]\nsocket = \"control.sock\"", line: 2, "control.socket", "absolute", "/"),
            Mistake("[control]\nsocket = \"/\(long)\"", line: 2, "control.socket", "107"),
            Mistake("[store]\npath = \"\"", line: 2, "store.path", "absolute"),
            Mistake("[watch]\ndirectory = \"watch.d\"", line: 2, "watch.directory", "absolute"),
            Mistake("[watch]\naddresses = [\"192.0.2\"]", line: 2, "watch.addresses", "\"192.0.2\"", "four parts"),
            Mistake("[log]\nlevel = \"warn\"", line: 2, "log.level", "\"warn\"", "warning"),
            // Strings without quotes.
            Mistake(
                "[refresh]\n\ninterval = 10s", line: 3, "refresh.interval", "duration must be in quotes: \"10s\""),
            Mistake("[refresh]\ninterval=5m # five", line: 2, "refresh.interval", "in quotes: \"5m\""),
            Mistake("[log]\r\nlevel = info\r\n", line: 2, "log.level", "string must be in quotes: \"info\""),
            Mistake("[provider]\nendpoint = http://a.b", line: 2, "provider.endpoint", "quotes: \"http://a.b\""),
            // Errors in various positions and notations.
            Mistake("refresh = { interval = 5 }", line: 1, "refresh.interval", "quotes"),
            Mistake("[log]\n[ \"refresh\" ] # here\n'interval'=5", line: 3, "refresh.interval", "quotes"),
            Mistake(
                "[log]\r\nlevel = \"info\"\r\n\r\n[refresh]\r\ninterval = 5\r\n", line: 5, "refresh.interval",
                "quotes"),
            Mistake("[log]\nlevel = \"info\"\n[refresh]\ninterval = 5", line: 4, "refresh.interval", "quotes"),
        ])
    func `an error is reported with its line, its key and the expected values`(mistake: Mistake) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: mistake.text, file: "/etc/test.toml", places: .system)
        }
        #expect(error?.file == "/etc/test.toml")
        #expect(error?.line == mistake.line)
        #expect(error?.key == mistake.key)
        for part in mistake.parts {
            #expect(error?.problem.contains(part) == true, "\(error?.problem ?? "") has no \(part)")
        }
    }

    @Test(arguments: [
        "proxy = http://user:hunter2", "proxy = http://user:hunter2@p:1", "proxy-file = http://user:hunter2",
        "proxy = \"http://user:hunter2\"", "proxy = \"user:hunter2@\"", "proxy = [\"http://user:hunter2@p:1\"]",
        "proxy-file = \"http://user:hunter2@p:1\"", "proxies = \"http://user:hunter2@p:1\"",
        "proxy = \"http://user:hunter2@p:1",
    ])
    func `no error quotes the URL of a proxy, which may contain a password`(line: String) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try Configuration(text: "[provider]\n\(line)", file: "/etc/test.toml", places: .system)
        }
        #expect(error.line == 2)
        #expect(!"\(error)".contains("hunter2"))
    }

    @Test(
        arguments: [
            ("[refresh\ninterval = \"5m\"", 1), ("[refresh]\ninterval = \"5m\"\ninterval = \"6m\"", 3),
            ("[refresh]\ninterval = \"5m", 2), ("[log]\n[refresh]\n[log]", 3),
            ("[refresh]\ninterval = \"5m\"\n\u{0}\n[nonsense]", 3),
            ("[watch]\naddresses = [\"192.0.2.1\", }]", 2), ("[log]\nlevel = }", 2),
            ("[log] # {\n[watch]\naddresses = ['''\n{''', \"\"\"\\\" } \"\"\"\"\", '}', }", 4),
        ])
    func `invalid TOML is reported with the line of the first error`(text: String, line: Int) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: text, file: "test.toml", places: .system)
        }
        #expect(error?.line == line)
        #expect(error?.key == nil)
        #expect(error?.problem.isEmpty == false)
    }

    @Test(arguments: [
        "[@log]", "[\u{7F}og]", "  [ \u{E9}t\u{E9}]", "[[\u{301}x]]", "[.a]", "[#x", "[\u{301}log]", "\u{FEFF}[!]",
    ])
    func `an invalid section name is an error, not a crash`(header: String) {
        #expect(throws: ConfigurationError.self) {
            try Configuration(text: header + "\nlevel = \"info\"\n", file: "it.toml", places: .system)
        }
        let later = #expect(throws: ConfigurationError.self) {
            try Configuration(text: "# first\n" + header.filter { $0 != "\u{FEFF}" }, file: "it.toml", places: .system)
        }
        #expect(later?.line == 2)
    }

    @Test func `deeply nested, unclosed lists are an error, not a crash`() {
        let text = "[watch]\naddresses = " + String(repeating: "[", count: 100_000)
        #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "", places: .system) }
    }

    @Test func `an error is described by file, line, key and problem`() {
        let whole = ConfigurationError(file: "/etc/a.toml", line: 12, key: "log.level", problem: "wrong")
        #expect(whole.description == "/etc/a.toml:12: log.level: wrong")
        let bare = ConfigurationError(file: "/etc/a.toml", line: nil, key: nil, problem: "wrong")
        #expect(bare.description == "/etc/a.toml: wrong")
    }
}
