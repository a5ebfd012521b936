import Foundation
import Testing

/// `iprecordd --check`: what it says of a configuration, and how it ends.
@Suite struct CheckTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "/iprecord-check-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func check(_ configuration: String, list: String = "") throws -> (
        status: Int32, output: String, errors: String
    ) {
        defer { try? FileManager.default.removeItem(atPath: folder) }  // A folder that stays behind does no harm.
        try list.write(toFile: folder + "/a.list", atomically: true, encoding: .utf8)
        let path = folder + "/iprecordd.toml"
        let text = "[watch]\naddresses = [\"192.0.2.1\"]\ndirectory = \"\(folder)\"\n" + configuration
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try Program.run([Rig.program("iprecordd"), "--config", path, "--check"])
    }

    @Test func `what is good is said to be good, with the number of addresses`() throws {
        let result = try check("", list: "192.0.2.2\n192.0.2.3 dns # three\n")
        #expect(result.status == 0 && result.errors == "")
        #expect(result.output == "the configuration is good; 3 addresses in it and in the lists\n")
    }

    @Test func `nothing is said to be good where a line does not count`() throws {
        let result = try check("", list: "192.0.2.2\nnonsense\n192.0.2\n")
        #expect(result.status == 1 && result.output == "")
        let lines = result.errors.split(separator: "\n")
        try #require(lines.count == 3, "\(result.errors)")
        #expect(lines[0].hasPrefix("iprecordd: line 2 of \(folder)/a.list: "))
        #expect(lines[1].hasPrefix("iprecordd: line 3 of \(folder)/a.list: "))
        #expect(lines[2] == "iprecordd: 2 lines or files do not count; the configuration itself is good")
    }

    @Test func `a bad configuration has a status of its own, and the key in its message`() throws {
        let result = try check("[refresh]\ninterval = 10s\n")
        #expect(result.status == 78 && result.output == "")
        let message = "refresh.interval: a duration is written in quotes: \"10s\""
        #expect(result.errors == "iprecordd: \(folder)/iprecordd.toml:5: \(message)\n")
    }
}
