import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing

@testable import Daemon

@Suite struct WatchListsTests {
    private static func lines(_ text: String) -> WatchLists {
        var lists = WatchLists(directory: "/nonexistent")
        lists.read(WatchListText(text), file: "dns.list")
        return lists
    }

    private static func listed(_ address: String, _ tags: [String] = [], _ note: String? = nil) throws -> ListedAddress
    {
        ListedAddress(address: try IPAddress(address), tags: tags, note: note)
    }

    @Test func `a line is an address, then tags, then a note`() throws {
        let lists = Self.lines(
            """
            192.0.2.1
              2001:DB8::1\tprod  dns prod # the resolver # of ours
            # a comment, and a line without anything

            ::ffff:192.0.2.3#note without a blank
            192.0.2.4 #
            """)
        #expect(lists.report.ignored == [])
        #expect(
            lists.listed == [
                try Self.listed("192.0.2.1"),
                try Self.listed("2001:db8::1", ["dns", "prod"], "the resolver # of ours"),
                try Self.listed("192.0.2.3", [], "note without a blank"), try Self.listed("192.0.2.4"),
            ])
    }

    @Test func `lines may end in CR LF`() throws {
        let lists = Self.lines("192.0.2.1 dns # one\r\n# comment\r\n\r\n192.0.2\r\n192.0.2.2")
        #expect(lists.listed == [try Self.listed("192.0.2.1", ["dns"], "one"), try Self.listed("192.0.2.2")])
        #expect(lists.report.ignored.map(\.line) == [4])
    }

    @Test func `an invalid line is reported with its position, and the others are read`() throws {
        let lists = Self.lines("192.0.2.1\n8.8.8 # short\n192.0.2.2\nexample.com\n")
        #expect(lists.listed == [try Self.listed("192.0.2.1"), try Self.listed("192.0.2.2")])
        #expect(
            lists.report.ignored.map(\.description) == [
                "line 2 of dns.list: \"8.8.8\" is not an IP address: an IPv4 address has four parts; this one has 3",
                "line 4 of dns.list: \"example.com\" is not an IP address: this looks like a host name; "
                    + "expected an address such as 192.0.2.1 or 2001:db8::1",
            ])
    }

    @Test(
        arguments: [
            "192.0.2.1 a,b", "192.0.2.1 " + String(repeating: "t", count: 65), "192.0.2.1 red\u{1B}[31m",
            "192.0.2.1 two\u{A0}words", "192.0.2.1 # " + String(repeating: "n", count: 1_001), "192.0.2.1 # a\u{7}bell",
            "192.0.2.1 " + (1...65).map { "t\($0)" }.joined(separator: " "),
        ])
    func `labels have the same limits as those of clients`(line: String) {
        let lists = Self.lines(line)
        #expect(lists.listed == [])
        #expect(lists.report.ignored.map(\.line) == [1])
    }

    @Test func `labels at their limits are accepted`() throws {
        let tags = (10...73).map { "t\($0)" }
        let (tag, note) = (String(repeating: "t", count: 64), String(repeating: "n", count: 1_000))
        let lists = Self.lines("192.0.2.1 \(tags.joined(separator: " "))\n192.0.2.2 \(tag) # \(note)")
        #expect(lists.report.ignored == [])
        #expect(lists.listed == [try Self.listed("192.0.2.1", tags), try Self.listed("192.0.2.2", [tag], note)])
    }

    @Test func `the error message for a very long line is short`() throws {
        let lists = Self.lines(
            String(repeating: "1", count: 5_000_000) + "\n192.0.2.1\n192.0.2.2 "
                + String(repeating: "t", count: 5_000_000))
        #expect(lists.listed == [try Self.listed("192.0.2.1")])
        #expect(lists.report.ignored.map(\.line) == [1, 3])
        for problem in lists.report.ignored { #expect(problem.description.utf8.count < 400) }
    }
}

/// Watch lists in a directory.
@Suite struct WatchListFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var lists: WatchLists { WatchLists(directory: folder.path) }
    private var addresses: [String] { lists.listed.map(\.address.description) }

    @Test func `files are read in the order of their names, and lines in file order`() throws {
        try folder.write("192.0.2.3\n192.0.2.2", to: "b.list")
        try folder.write("192.0.2.9", to: "a.list")
        try folder.write("192.0.2.1", to: "c.list")
        #expect(addresses == ["192.0.2.9", "192.0.2.3", "192.0.2.2", "192.0.2.1"])
    }

    @Test(arguments: ["a.txt", "list", "a.list~", "a.list.bak", "A.LIST", ".#a.list", ".list"])
    func `only visible files that end in .list are lists`(name: String) throws {
        try folder.write("nonsense", to: name)
        #expect(lists.listed == [])
        #expect(lists.report.ignored == [])
    }

    @Test func `a missing directory has no lists`() {
        let lists = WatchLists(directory: folder.file("missing"))
        #expect(lists.listed == [])
        #expect(lists.report.ignored == [])
    }

    @Test func `a path that is not a directory is reported`() throws {
        let path = try folder.write("", to: "file")
        #expect(WatchLists(directory: path).report.ignored.map(\.file) == [path])
    }

    @Test func `a file that is not valid UTF-8 is reported, and the others are read`() throws {
        let path = try folder.write([0x31, 0xFF, 0x0A], to: "a.list")
        try folder.write("192.0.2.1", to: "b.list")
        #expect(addresses == ["192.0.2.1"])
        #expect(lists.report.ignored.map(\.description) == ["\(path):1:2: not valid UTF-8: byte 0xff"])
    }

    @Test func `an invalid byte drops its line, and the others are read`() throws {
        let bytes = Array("192.0.2.1\r\n192.0.2.2 # caf".utf8) + [0xE9] + Array("\n192.0.2.3 # é".utf8) + [0xC3, 0x0A]
        let path = try folder.write(bytes + Array("192.0.2.4".utf8), to: "a.list")
        #expect(addresses == ["192.0.2.1", "192.0.2.4"])
        #expect(
            lists.report.ignored.map(\.description) == [
                "\(path):2:16: not valid UTF-8: byte 0xe9", "\(path):3:14: not valid UTF-8: byte 0xc3",
            ])
    }

    @Test func `visible files that are not lists are named`() throws {
        for name in ["c.txt", "a.list~", ".hidden", "b.list"] { try folder.write("192.0.2.1", to: name) }
        #expect(lists.report.unreadFiles == [folder.file("c.txt")])
        #expect(addresses == ["192.0.2.1"])
    }

    @Test(.timeLimit(.minutes(20))) func `a pipe in the directory is reported and does not block`() throws {
        try #require(mkfifo(folder.file("a.list"), 0o600) == 0)
        try folder.write("192.0.2.1", to: "b.list")
        #expect(addresses == ["192.0.2.1"])
        #expect(lists.report.ignored.map(\.reason) == ["not a regular file"])
    }

    @Test func `an unreadable file is reported with the cause, and the others are read`() throws {
        try FileManager.default.createDirectory(atPath: folder.file("a.list"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.file("b.list"), withDestinationPath: "nowhere")
        try folder.write("192.0.2.1", to: "c.list")
        #expect(addresses == ["192.0.2.1"])
        #expect(lists.report.ignored.map(\.file) == [folder.file("a.list"), folder.file("b.list")])
        #expect(lists.report.ignored.map(\.line) == [nil, nil])
        #expect(lists.report.ignored.first?.reason.contains("directory") == true)
        #expect(lists.report.ignored.last?.reason.contains("No such file") == true)
    }
}
