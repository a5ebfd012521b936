import Testing

@testable import Daemon
@testable import RecordKeeping

/// Reads of the watch lists, and the limit of logged problems.
@Suite struct DaemonListReaderTests {
    private static func lines(_ count: Int) -> [WatchLists.Problem] {
        (0..<count).map { .init(file: "dns.list", line: $0 + 1, reason: "not an IP address") }
    }

    @Test func `few problems are logged one by one`() {
        let lines = ListReader.logLines(of: ListContents(problems: Self.lines(ListReader.maxLoggedProblems)))
        #expect(lines.count == ListReader.maxLoggedProblems)
        #expect(lines.allSatisfy { $0.contains("dns.list") })
    }

    @Test func `of 12,000 invalid lines ten are logged and the others counted`() {
        let lines = ListReader.logLines(of: ListContents(problems: Self.lines(12_000)))
        #expect(lines.count == 11)
        #expect(lines.last == "and 11990 more; run iprecordd --check")
    }

    @Test func `an unreadable file is logged before invalid lines`() {
        let unreadable = WatchLists.Problem(file: "other.list", line: nil, reason: "Permission denied")
        let contents = ListContents(problems: Self.lines(20) + [unreadable], keysNotApplied: ["log.level"])
        let lines = ListReader.logLines(of: contents)
        #expect(lines[0].contains("log.level"))
        #expect(lines[1].contains("other.list"))
        #expect(lines.count == 11)
    }

    @Test func `keys that only a restart applies are a problem of a reload, but not of its preview`() {
        let contents = ListContents(problems: Self.lines(1), keysNotApplied: ["log.level"])
        #expect(contents.reading().problems.contains { $0.contains("log.level") })
        #expect(contents.reading(isPreview: true).problems == Self.lines(1).map { "\($0)" })
    }

    @Test func `a reading distinguishes addresses of the configuration from those of files`() throws {
        let configured = [try IPAddress("192.0.2.1")]
        let line = ListedAddress(address: try IPAddress("192.0.2.2"))
        let reading = ListContents(configured: configured, fileEntries: [line]).reading()
        #expect(reading.hasFileEntries && reading.addresses == [configured[0], line.address])
        let withoutFiles = ListContents(configured: configured).reading()
        #expect(!withoutFiles.hasFileEntries && withoutFiles.addresses == Set(configured))
    }

    @Test func `a reading with an unreadable file is incomplete, and one with invalid lines is complete`() {
        #expect(ListContents(problems: Self.lines(2)).reading().isComplete)
        let unreadable = WatchLists.Problem(file: "other.list", line: nil, reason: "Permission denied")
        #expect(!ListContents(problems: [unreadable]).reading().isComplete)
    }
}
