import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct DatabasesCheckTests {
    private static func finding(
        _ type: String? = "GeoLite2-City", failure: String? = nil
    ) throws -> Finding {
        let isLoaded = type != nil
        let database = Interface.Database(
            path: "/a b.mmdb", databaseType: type, builtAt: isLoaded ? Sample.wall(-86_400) : nil,
            loadedAt: isLoaded ? Sample.wall(-60) : nil, failure: failure)
        let findings = DatabasesCheck(databases: [database], now: Sample.now).findings()
        try #require(findings.count == 1)
        return findings[0]
    }

    private static var version: String {
        "GeoLite2-City of \(Times.day(Sample.now - 86_400_000)), loaded 60 s ago"
    }

    @Test func `a database in use is shown with its version`() throws {
        let finding = try Self.finding()
        #expect(finding == Finding(check: "databases", state: .ok, message: "/a b.mmdb: \(Self.version)", remedy: nil))
    }

    @Test func `a database that is being loaded has no result yet`() throws {
        let finding = try Self.finding(nil)
        #expect(finding.state == .skipped && finding.message == "/a b.mmdb: loading")
    }

    @Test func `a broken file with a previous version is a warning`() throws {
        let finding = try Self.finding(failure: "/a b.mmdb is not a valid MMDB file: truncated")
        #expect(finding.state == .warning)
        #expect(
            finding.message
                == "/a b.mmdb is not a valid MMDB file: truncated. The daemon still uses \(Self.version)")
        #expect(finding.remedy?.hasSuffix("ls -l '/a b.mmdb'") == true, "\(finding)")
    }

    @Test func `a file without any version is a problem`() throws {
        let finding = try Self.finding(nil, failure: "cannot read the MMDB file /a b.mmdb: No such file or directory")
        #expect(finding.state == .bad && finding.message.hasSuffix(": No such file or directory"))
        #expect(finding.remedy?.hasSuffix("and run: ipctl reload") == true)
    }

    @Test func `a file that the daemon has not loaded yet is shown with its version`() throws {
        let database = Interface.Database(
            path: "/a.mmdb", databaseType: "GeoLite2-City", builtAt: Sample.wall(-86_400))
        let findings = DatabasesCheck(databases: [database], now: Sample.now).findings()
        #expect(findings.map(\.state) == [.ok])
        #expect(findings.map(\.message) == ["/a.mmdb: GeoLite2-City of \(Times.day(Sample.now - 86_400_000))"])
        #expect(DatabasesCheck(databases: [], now: Sample.now).findings() == [])
    }

    @Test func `each database has a finding`() {
        let databases = ["/a", "/b"].map { Interface.Database(path: $0) }
        #expect(DatabasesCheck(databases: databases, now: 0).findings().count == 2)
    }
}
