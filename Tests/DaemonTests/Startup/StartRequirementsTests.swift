import Foundation
import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct StartRequirementsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func requirements(
        _ configuration: String, at occasion: StartRequirements.Occasion = .check
    ) throws -> StartRequirements {
        let defaults = ["control": "socket = \"\(folder.path)/a.sock\"", "store": "path = \"\(folder.path)/a.db\""]
        var text = configuration
        for (section, line) in defaults.sorted(by: { $0.key < $1.key }) where !text.contains("[\(section)]") {
            text += "[\(section)]\n\(line)\n"
        }
        return StartRequirements(
            of: try Setup(configurationFile: folder.write(text, to: "a.toml")), at: occasion)
    }

    /// The descriptions of the violations from the line number on, with FOLDER for the folder's path.
    private func violations(
        _ configuration: String, at occasion: StartRequirements.Occasion = .check
    ) throws -> [String] {
        try requirements(configuration, at: occasion).violations.map {
            $0.description.replacing(folder.file("a.toml") + ":", with: "").replacing(folder.path, with: "FOLDER")
        }
    }

    @Test(arguments: [.check, .start(hasActivatedSockets: false)] as [StartRequirements.Occasion])
    func `a configuration with usable files meets the requirements, and nothing is created`(
        occasion: StartRequirements.Occasion
    ) throws {
        try folder.write("s3cr3t\n", to: "key")
        let configuration = "[provider]\nkey-file = \"\(folder.file("key"))\"\n"
        let requirements = try requirements(configuration, at: occasion)
        #expect(requirements.violations == [])
        #expect(requirements.unverified == [])
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["a.toml", "key"])
    }

    @Test func `a missing or empty key file is a violation with file, line and key`() throws {
        let configuration = "[provider]\nkey-file = \"\(folder.file("key"))\"\n"
        #expect(
            try violations(configuration) == [
                "2: provider.key-file: cannot read the key from FOLDER/key: No such file or directory"
            ])
        try folder.write("\n", to: "key")
        #expect(try violations(configuration) == ["2: provider.key-file: the credential FOLDER/key is empty"])
    }

    @Test func `a configured group must exist; the default group may be missing`() throws {
        let socket = "socket = \"\(folder.path)/a.sock\"\n"
        #expect(
            try violations("[control]\n\(socket)admin-group = \"no-such-group-here\"\n") == [
                "3: control.admin-group: the group \"no-such-group-here\" does not exist; create it with groupadd, "
                    + "or use another"
            ])
        #expect(try violations("[control]\n\(socket)admin-group = \"root\"\n") == [])
        #expect(try violations("[control]\n\(socket)") == [])
    }

    @Test func `the store must be a file in an existing directory`() throws {
        func store(_ path: String) throws -> [String] { try violations("[store]\npath = \"\(path)\"\n") }
        #expect(
            try store(folder.file("missing/a.db")) == [
                "2: store.path: the directory FOLDER/missing does not exist; create it with "
                    + "the daemon's user as owner"
            ])
        #expect(try store(folder.path) == ["2: store.path: FOLDER is a directory; use the path of a file in it"])
        try folder.write("", to: "file")
        #expect(
            try store(folder.file("file/a.db")) == ["2: store.path: cannot open FOLDER/file/a.db: Not a directory"])
    }

    @Test func `the socket's path must be free or a socket`() throws {
        func socket(_ path: String, at occasion: StartRequirements.Occasion = .check) throws -> [String] {
            try violations("[control]\nsocket = \"\(path)\"\n", at: occasion)
        }
        try folder.write("", to: "file")
        let inTheWay = "2: control.socket: FOLDER/file is not a socket; move it away, or use another path"
        #expect(try socket(folder.file("file")) == [inTheWay])
        #expect(try socket(folder.file("file"), at: .start(hasActivatedSockets: false)) == [inTheWay])
        #expect(try socket(folder.file("file"), at: .start(hasActivatedSockets: true)) == [], "the path is not used")
        #expect(
            try socket(folder.file("missing/a.sock")) == [
                "2: control.socket: the directory FOLDER/missing does not exist; create it with "
                    + "the daemon's user as owner"
            ])
        let descriptor = UnixAddress.bound(folder.file("b.sock"), backlog: 1)
        defer { close(descriptor) }
        #expect(try socket(folder.file("b.sock")) == [], "the service manager may listen there")
    }

    @Test func `the service manager's directories may be missing at a check, but not at a start`() throws {
        let path = "/var/lib/iprecord/records.db"
        try #require(access("/var/lib/iprecord", F_OK) != 0 || getuid() != 0, "this host has the service's directories")
        let configuration = "[store]\npath = \"\(path)\"\n"
        #expect(try violations(configuration) == [])
        #expect(
            try violations(configuration, at: .start(hasActivatedSockets: true)) == [
                "2: store.path: the directory /var/lib/iprecord does not exist; create it with "
                    + "the daemon's user as owner"
            ])
    }

    @Test func `all violations are reported together`() throws {
        let configuration = "[provider]\nkey-file = \"/none\"\n[store]\npath = \"/none/a.db\"\n"
        #expect(try violations(configuration).map { $0.prefix(2) } == ["2:", "4:"])
        let setup = try Setup(configurationFile: folder.file("a.toml"))
        let error = #expect(throws: UnmetRequirements.self) { try setup.requireStart(hasActivatedSockets: false) }
        #expect(error?.violations.map(\.key) == ["provider.key-file", "store.path"])
    }
}
