import Control
import MMDBSamples
import TestSupport
import Testing

@testable import Daemon

/// The local databases in `iprecordd --check`.
@Suite struct DatabasesSetupTests {
    private let samples: SampleFolder

    init() throws { samples = try SampleFolder() }

    /// Checks a configuration with these databases.
    private func report(_ paths: String...) throws -> CheckReport {
        let list = paths.map { "\"\($0)\"" }.joined(separator: ", ")
        let text =
            "[offline]\ndatabases = [\(list)]\n[control]\nsocket = \"\(samples.path("a.sock"))\"\n"
            + "[store]\npath = \"\(samples.path("a.db"))\"\n"
        let path = try samples.folder.write(text, to: "a.toml")
        return Setup.checkReport(configurationFile: path, isRoot: true)
    }

    private static func sample(_ type: String) throws -> [UInt8] {
        try MMDBSample(type: type, ["192.0.2.0/24": ["country": ["iso_code": "DE"]]]).bytes
    }

    @Test func `usable databases are reported with their versions`() throws {
        let paths = [
            try samples.put(Self.sample("GeoLite2-City"), "city.mmdb"),
            try samples.put(Self.sample("GeoLite2-ASN"), "asn.mmdb"),
        ]
        let report = try report(paths[0], paths[1])
        #expect(report.exitStatus == 0 && report.problems == [] && report.unchecked == [])
        #expect(report.databases.map(\.path) == paths)
        #expect(report.databases.map(\.state) == ["ok", "ok"])
        #expect(report.databases.map(\.databaseType) == ["GeoLite2-City", "GeoLite2-ASN"])
        #expect(report.databases.map(\.builtAt) == [1_700_000_000_000, 1_700_000_000_000])
    }

    @Test func `each unusable database is reported with the reason, and does not prevent the start`() throws {
        let good = try samples.put(Self.sample("GeoLite2-City"), "good.mmdb")
        let short = try samples.put(Array(Self.sample("GeoLite2-ASN").dropLast(150)), "short.mmdb")
        let missing = samples.path("missing.mmdb")
        let report = try report(short, good, missing)
        #expect(report.exitStatus == 1 && report.problems == [])
        #expect(report.databases.map(\.state) == ["failing", "ok", "failing"])
        let messages = report.databases.map(\.message)
        #expect(messages[0]?.hasPrefix("\(short) is not a valid MMDB file: ") == true, "\(messages)")
        #expect(messages[2] == "cannot read the MMDB file \(missing): No such file or directory")
    }

    @Test func `nothing is read if the list of databases is invalid`() throws {
        let path = try samples.put(Self.sample("GeoLite2-City"))
        let report = try report(path, path)
        #expect(report.exitStatus == 78 && report.databases == [])
        #expect(report.problems.map(\.key) == ["offline.databases"])
    }
}
