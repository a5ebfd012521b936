import Control
import Foundation
import TestSupport
import Testing

/// The messages and exit statuses of `iprecordd --check`.
@Suite struct CheckTests {
    private let temporaryFolder: TemporaryFolder
    private var folder: String { temporaryFolder.path }
    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
    }

    init() throws {
        temporaryFolder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder + "/watch.d", withIntermediateDirectories: false)
    }

    private func check(_ configuration: String, list: String = "") throws -> (
        status: Int32, output: String, errors: String
    ) {
        try list.write(toFile: folder + "/watch.d/a.list", atomically: true, encoding: .utf8)
        let path = folder + "/iprecordd.toml"
        let text =
            "[watch]\naddresses = [\"192.0.2.1\"]\ndirectory = \"\(folder)/watch.d\"\n"
            + "[store]\npath = \"\(folder)/records.db\"\n" + configuration
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try Program.run([Rig.program("iprecordd"), "--config", path, "--check"])
    }

    @Test func `a valid configuration is reported with the number of addresses`() throws {
        let result = try check("", list: "192.0.2.2\n192.0.2.3 dns # three\n")
        #expect(result.status == 0 && result.errors == "")
        #expect(result.output == "the configuration is valid; 3 addresses in total\n")
    }

    @Test func `an invalid line in a list is an error`() throws {
        let result = try check("", list: "192.0.2.2\nnonsense\n192.0.2\n")
        #expect(result.status == 1 && result.output == "")
        let lines = result.errors.split(separator: "\n")
        try #require(lines.count == 3, "\(result.errors)")
        #expect(lines[0].hasPrefix("iprecordd: line 2 of \(folder)/watch.d/a.list: "))
        #expect(lines[1].hasPrefix("iprecordd: line 3 of \(folder)/watch.d/a.list: "))
        #expect(lines[2] == "iprecordd: 2 lines or files are ignored; the configuration itself is valid")
    }

    @Test func `a local database that cannot be used is an error`() throws {
        let result = try check("[offline]\ndatabases = [\"\(folder)/a.mmdb\"]\n")
        #expect(result.status == 1 && result.output == "")
        #expect(
            result.errors.split(separator: "\n") == [
                "iprecordd: cannot read the MMDB file \(folder)/a.mmdb: No such file or directory",
                "iprecordd: 1 line or file is ignored; the configuration itself is valid",
            ])
    }

    @Test func `an invalid configuration has its own exit status, and the message names the key`() throws {
        let result = try check("[refresh]\ninterval = 10s\n")
        #expect(result.status == 78 && result.output == "")
        let message = "refresh.interval: a duration must be in quotes: \"10s\""
        #expect(result.errors == "iprecordd: \(folder)/iprecordd.toml:7: \(message)\n")
    }

    @Test func `the files and groups that a start needs are checked, and no file is created`() throws {
        let result = try check(
            "[provider]\nkey-file = \"/none/key\"\n[control]\nsocket = \"\(folder)/control.sock\"\n"
                + "admin-group = \"no-such-group-here\"\n")
        #expect(result.status == 78 && result.output == "")
        let path = "\(folder)/iprecordd.toml"
        #expect(
            result.errors.split(separator: "\n") == [
                "iprecordd: \(path):7: provider.key-file: "
                    + "cannot read the key from /none/key: No such file or directory",
                "iprecordd: \(path):10: control.admin-group: the group \"no-such-group-here\" does not exist; "
                    + "create it with groupadd, or use another",
            ])
        #expect(try files == ["iprecordd.toml", "watch.d"])
    }

    @Test func `with --json, one object reports the same`() throws {
        _ = try check("[refresh]\ninterval = \"soon\"\n", list: "192.0.2.2\nnonsense\n")
        let result = try Program.run([
            Rig.program("iprecordd"), "--config", folder + "/iprecordd.toml", "--check", "--json",
        ])
        #expect(result.status == 78 && result.errors == "")
        let report = try JSONDecoder().decode(CheckReport.self, from: Data(result.output.utf8))
        #expect(report.problems.map(\.key) == ["refresh.interval"])
        #expect(report.setting(\.store, of: "store.path") == folder + "/records.db")
        let list = try #require(report.lists?.files.first)
        #expect(list.path == folder + "/watch.d/a.list" && list.addresses == 1)
        #expect(list.ignoredLines.map(\.line) == [2])
        #expect(report.configuredAddresses == 1)
        #expect(try Program.run([Rig.program("iprecordd"), "--json"]).status == 64)
    }

    @Test func `control characters in a list are replaced in messages`() throws {
        let result = try check("", list: "\u{1B}]0;owned\u{7}\n192.0.2.2 a\u{202E}b\n")
        #expect(result.status == 1)
        let controls = result.errors.unicodeScalars.filter {
            $0 != "\n" && $0.properties.generalCategory == .control || $0 == "\u{202E}"
        }
        #expect(controls.isEmpty)
        #expect(result.errors.contains("\u{FFFD}]0;owned"))
    }
}
