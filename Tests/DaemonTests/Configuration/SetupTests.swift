import Control
import RecordKeeping
import TestSupport
import Testing

@testable import Daemon

@Suite struct SetupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `the named file is read`() throws {
        let path = try folder.write("[refresh]\ninterval = \"7s\"", to: "a.toml")
        let setup = try Setup(configurationFile: path)
        #expect(setup.configuration.interval == .seconds(7))
        #expect(setup.userDirectories == nil)
    }

    @Test func `an error is reported with the path of the named file`() throws {
        let path = try folder.write("[refresh]\ninterval = 7", to: "a.toml")
        let errors = #expect(throws: UnmetRequirements.self) { try Setup(configurationFile: path) }?.violations
        #expect(errors?.map(\.file) == [path])
        #expect(errors?.map(\.line) == [2])
    }

    @Test func `all errors are reported, in the order of their lines`() throws {
        let path = try folder.write(
            """
            [store]
            path = "relative"
            [nonsense]
            [refresh]
            interval = "5m"
            intervall = "5m"
            [control]
            socket = 7
            """, to: "a.toml")
        let errors = #expect(throws: UnmetRequirements.self) { try Setup(configurationFile: path) }?.violations
        #expect(errors?.map(\.key) == ["store.path", "nonsense", "refresh.intervall", "control.socket"])
        #expect(errors?.map(\.line) == [2, 3, 6, 8])
    }

    @Test func `a missing file is an error with path and cause`() throws {
        let path = folder.file("missing.toml")
        let error = #expect(throws: Setup.Problem.self) { try Setup(configurationFile: path) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(path))
        #expect(text.contains("No such file"))
    }

    @Test func `a file that is not valid UTF-8 is an error with path and cause`() throws {
        let path = try folder.write([0x5B, 0xFF, 0xFE, 0x5D], to: "a.toml")
        let error = #expect(throws: Setup.Problem.self) { try Setup(configurationFile: path) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(path))
        #expect(text.contains("UTF-8"))
    }

    @Test func `addresses of the configuration are separate from those of the files`() throws {
        let path = try folder.write(
            "[watch]\naddresses = [\"192.0.2.1\"]\ndirectory = \"\(folder.path)\"", to: "a.toml")
        try folder.write("192.0.2.2 dns # two\n", to: "b.list")
        let contents = try Setup(configurationFile: path).lists()
        #expect(contents.configured == [try IPAddress("192.0.2.1")])
        let line = ListedAddress(address: try IPAddress("192.0.2.2"), tags: ["dns"], note: "two")
        #expect(contents.fileEntries == [line])
        #expect(contents.warnings == [])
    }

    @Test func `a missing directory has no file entries`() throws {
        let path = try folder.write(
            "[watch]\naddresses = [\"192.0.2.1\"]\ndirectory = \"\(folder.file("missing"))\"", to: "a.toml")
        let contents = try Setup(configurationFile: path).lists()
        #expect(contents.configured == [try IPAddress("192.0.2.1")])
        #expect(contents.fileEntries == [] && contents.warnings == [])
    }

    @Test func `a reload reads the watched addresses of the configuration again`() throws {
        let path = try folder.write("[watch]\naddresses = [\"192.0.2.1\"]", to: "a.toml")
        let setup = try Setup(configurationFile: path)
        try folder.write("[watch]\naddresses = [\"192.0.2.3\"]\ndirectory = \"\(folder.path)\"", to: "a.toml")
        try folder.write("192.0.2.4", to: "b.list")
        let contents = try setup.lists()
        #expect(contents.configured == [try IPAddress("192.0.2.3")])
        #expect(contents.fileEntries.map(\.address.description) == ["192.0.2.4"])
    }

    @Test func `a reload names the changed keys that need a restart`() throws {
        let path = try folder.write("[refresh]\ninterval = \"7s\"", to: "a.toml")
        let setup = try Setup(configurationFile: path)
        try folder.write("[watch]\naddresses = [\"192.0.2.3\"]\n[log]\nlevel = \"debug\"", to: "a.toml")
        let contents = try setup.lists()
        #expect(contents.configured.count == 1)
        #expect(
            contents.warnings == [
                "refresh.interval, log.level changed; restart to apply: systemctl restart iprecordd"
            ])
        try folder.write("[refresh]\ninterval = \"7000ms\"", to: "a.toml")
        #expect(try setup.lists().warnings == [], "the same value in another notation")
    }

    @Test func `a reload reads the local databases of the configuration again`() throws {
        let path = try folder.write("[offline]\ndatabases = [\"/a.mmdb\"]", to: "a.toml")
        let setup = try Setup(configurationFile: path)
        #expect(setup.configuration.databases == ["/a.mmdb"])
        try folder.write("[offline]\ndatabases = [\"/b.mmdb\", \"/a.mmdb\"]", to: "a.toml")
        let contents = try setup.lists()
        #expect(contents.databases == ["/b.mmdb", "/a.mmdb"] && contents.warnings == [])
    }

    @Test func `a change of the provider's kind keeps the local databases until the restart`() throws {
        let path = try folder.write("[provider]\nkind = \"mmdb\"\n[offline]\ndatabases = [\"/a.mmdb\"]", to: "a.toml")
        let setup = try Setup(configurationFile: path)
        try folder.write("", to: "a.toml")
        let contents = try setup.lists()
        #expect(contents.databases == ["/a.mmdb"])
        #expect(contents.warnings == ["provider.kind changed; restart to apply: systemctl restart iprecordd"])
    }

    @Test func `each key is applied either at a reload or at a start`() {
        let all = Configuration.sections.flatMap { section, keys in keys.keys.map { "\(section).\($0)" } }
        let taken = all.filter { $0.hasPrefix("watch.") || $0.hasPrefix("offline.") }
        #expect(Set(all) == Set(taken + Configuration.startKeys.map(\.name)))
    }

    @Test func `a change of any key that is applied at a start is noticed`() throws {
        let started = Configuration(places: .system)
        var other = try Configuration(
            text: """
                [refresh]\ninterval = "1s"
                [provider]\nendpoint = "http://a"\nkey-file = "/k"\nlanguage = "de"\ntimeout = "1s"
                proxy = "none"\nproxy-file = "/f"
                [network]\nsettle = "1s"
                [control]\nsocket = "/s"\nadmin-group = "a"
                [store]\npath = "/p"\nkeep-history = "1d"\nbackups = 0
                [alerts]\nfields = []
                [log]\nlevel = "debug"
                """, file: "", places: .system)
        // A file with this kind must not set the other keys.
        other.kind = .mmdb
        #expect(other.keysRequiringRestart(comparedTo: started) == Configuration.startKeys.map(\.name))
        #expect(started.keysRequiringRestart(comparedTo: started) == [])
    }

    @Test func `a reload of an invalid configuration fails`() throws {
        let path = try folder.write("[watch]\naddresses = [\"192.0.2.1\"]", to: "a.toml")
        let setup = try Setup(configurationFile: path)
        try folder.write("[watch]\naddresses = [\"192.0.2\"]", to: "a.toml")
        let error = #expect(throws: ConfigurationError.self) { try setup.lists() }
        #expect(error?.line == 2)
    }

    @Test func `a check fails if a list has an invalid line`() throws {
        let path = try folder.write("[watch]\ndirectory = \"\(folder.path)\"", to: "a.toml")
        try folder.write("192.0.2.4\n", to: "b.list")
        #expect(Setup.checkReport(configurationFile: path, isRoot: true).exitStatus == 0)
        try folder.write("192.0.2.4\nnonsense\n", to: "b.list")
        #expect(Setup.checkReport(configurationFile: path, isRoot: true).exitStatus == 1)
    }

    @Test func `settings are reported despite errors in other keys, and the keys that the file sets`() throws {
        let path = try folder.write(
            "[refresh]\ninterval = \"soon\"\n[provider]\nendpoint = \"http://a\"\n", to: "a.toml")
        let report = Setup.checkReport(configurationFile: path, isRoot: true)
        #expect(report.exitStatus == 78 && report.file == .read && report.configuration == path)
        #expect(report.problems.map(\.key) == ["refresh.interval"])
        let message = report.problems.first?.message
        #expect(message?.hasPrefix("\(path):2: refresh.interval: \"soon\" is not a duration") == true)
        #expect(report.keys == ["provider.endpoint"])
        #expect(report.setting(\.endpoint, of: "provider.endpoint") == "http://a")
        #expect(report.setting(\.interval, of: "refresh.interval") == nil)
        #expect(report.setting(\.store, of: "store.path") == "/var/lib/iprecord/records.db")
    }

    @Test func `a file that is missing, unreadable or not TOML has no settings`() throws {
        let missing = Setup.checkReport(configurationFile: folder.file("missing.toml"), isRoot: true)
        #expect(missing.file == .missing && missing.settings == nil && missing.exitStatus == 78)
        let directory = Setup.checkReport(configurationFile: folder.path, isRoot: true)
        #expect(directory.file == .unreadable && directory.settings == nil && directory.exitStatus == 78)
        let path = try folder.write("[refresh\n", to: "a.toml")
        let invalid = Setup.checkReport(configurationFile: path, isRoot: true)
        #expect(invalid.file == .read && invalid.settings == nil && invalid.lists == nil)
        #expect(invalid.problems.map(\.key) == [nil])
    }
}
