import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl list` with the built program.
@Suite struct ListTests {
    private static func entry(
        _ address: String, _ state: EntryState = .loading, watch: Watch = Watch(byClient: true)
    ) throws -> Interface.Entry {
        try Sample.entry(state, address: address, watch: watch)
    }

    private static func call(_ parameters: String) -> String {
        #"{"method":"io.iprecord.Control.List","parameters":{\#(parameters)}}"#
    }

    @Test func `the first page is a table, and the note about more entries is not piped`() throws {
        var second = try Sample.entry(
            .fresh, address: "2001:db8::1", watch: Watch(byClient: true, tags: ["dns", "prod"], note: "ours"),
            record: Sample.record, scanned: -1)
        second.scannedAt = nil
        let server = try WireServer([Sample.page([try Self.entry("192.0.2.1"), second], next: "c", total: 12_345)])
        let ended = try BuiltIpctl.run(server, "list")
        let rows = [
            "ADDRESS      STATE    PLACE       NETWORK          TAGS       NOTE  REVERSE NAME  FLAGS           SCANNED",
            "192.0.2.1    loading",
            "2001:db8::1  fresh    Berlin, DE  AS64500 Example  dns, prod  ours  host.example  proxy, hosting",
        ]
        let expectedText = "ipctl: 2 of 12,345 shown; --all shows the rest\n"
        #expect(ended == .init(status: 0, output: rows.map { $0 + "\n" }.joined(), errors: expectedText))
        #expect(server.calls == [Self.call(#""limit":100"#)])
    }

    @Test func `with --json, a note on standard error says that the list is cut`() throws {
        let server = try WireServer([Sample.page([try Self.entry("192.0.2.1")], next: "c", total: 305)])
        let ended = try BuiltIpctl.run(server, "list", "--json")
        #expect(ended.status == 0)
        #expect(ended.output.hasPrefix(#"{"entries":[{"address":"192.0.2.1""#))
        #expect(ended.errors == "ipctl: 1 of 305 shown; --all shows the rest\n")
    }

    @Test(arguments: [["--limit", "1"], ["--json", "--limit", "1"]])
    func `with --limit, there is no note about more entries`(arguments: [String]) throws {
        let server = try WireServer([Sample.page([try Self.entry("192.0.2.1")], next: "c", total: 305)])
        let ended = try BuiltIpctl.run(["--socket", server.path, "list"] + arguments)
        #expect(ended.status == 0)
        #expect(ended.errors == "")
    }

    @Test func `a single entry is a table, and pins have a column if there are any`() throws {
        let server = try WireServer([
            Sample.page([try Self.entry("192.0.2.1", watch: Watch(byClient: true, isPinned: true))])
        ])
        let ended = try BuiltIpctl.run(server, "list", "--limit", "10000")
        let expected = """
            ADDRESS    PIN  STATE    PLACE  NETWORK  TAGS  NOTE  REVERSE NAME  FLAGS  SCANNED
            192.0.2.1  yes  loading\n
            """
        #expect(ended == .init(status: 0, output: expected, errors: ""))
        #expect(server.calls == [Self.call(#""limit":10000"#)])
    }

    @Test func `the filters are sent to the daemon`() throws {
        let server = try WireServer([Sample.page([try Self.entry("192.0.2.1")])])
        let before = Times.now
        let ended = try BuiltIpctl.run(
            server, "list", "--search", "Cloud flare", "--state", "stale", "--tag", "dns", "--pinned",
            "--changed-since",
            "24h")
        #expect(ended.status == 0)
        let call = try #require(server.calls.first)
        let since = try #require(call.firstMatch(of: /"changedSince":(\d+),/).flatMap { Int64($0.1) })
        #expect((before - 86_400_000...Times.now - 86_400_000).contains(since))
        let rest = #""pinned":true,"search":"Cloud flare","states":["stale"],"tags":["dns"]"#
        #expect(call == Self.call(#""filter":{"changedSince":\#(since),\#(rest)},"limit":100"#))
    }

    @Test func `a filter can have several values`() throws {
        let server = try WireServer([Sample.page([try Self.entry("192.0.2.1")])])
        let ended = try BuiltIpctl.run(
            server, "list", "--state", "stale", "--state", "failed", "-t", "a", "--tag", "b", "--not-tag", "c",
            "--country", "de", "--country", "AT", "--not-country", "fr", "--not-country", "IT", "--asn", "as3320",
            "--asn", "64500", "--flag", "proxy", "--flag",
            "mobile", "--changed-since", "2026-11-20T08:00:00Z", "--changed-field", "country", "--sort", "isp")
        #expect(ended.status == 0)
        let filter =
            #""asns":[3320,64500],"changedFields":["country"],"changedSince":1795161600000,"#
            + #""countryCodes":["DE","AT"],"flags":["proxy","mobile"],"#
            + #""notCountryCodes":["FR","IT"],"notTags":["c"],"states":["stale","failed"],"#
            + #""tags":["a","b"]"#
        #expect(server.calls == [Self.call(#""filter":{\#(filter)},"limit":100,"sort":"isp""#)])
    }

    @Test(arguments: ["-r", "--reverse"]) func `a descending order is requested from the daemon`(option: String) throws
    {
        let server = try WireServer([Sample.page([try Self.entry("192.0.2.1")])])
        let ended = try BuiltIpctl.run(server, "list", "--sort", "isp", option)
        #expect(ended.status == 0)
        #expect(server.calls == [Self.call(#""descending":true,"limit":100,"sort":"isp""#)])
    }

    @Test func `--all reads all pages, and columns only become wider`() throws {
        let server = try WireServer([
            Sample.page([try Self.entry("192.0.2.1")], next: "one", total: 3),
            Sample.page([try Self.entry("2001:db8::1")], next: "two", total: 3),
            Sample.page([try Self.entry("::2")], next: nil, total: 3),
        ])
        let ended = try BuiltIpctl.run(server, "list", "--all")
        let expected = """
            ADDRESS    STATE    PLACE  NETWORK  TAGS  NOTE  REVERSE NAME  FLAGS  SCANNED  PROBLEM
            192.0.2.1  loading
            2001:db8::1  loading
            ::2          loading\n
            """
        #expect(ended == .init(status: 0, output: expected, errors: ""))
        #expect(
            server.calls == [
                Self.call(#""limit":1000"#), Self.call(#""after":"one","limit":1000"#),
                Self.call(#""after":"two","limit":1000"#),
            ])
    }

    @Test func `with --json, each page is a document`() throws {
        let pages = [
            #"{"entries":[{"address":"192.0.2.1","new":1}],"next":"c","total":2}"#, #"{"entries":[],"total":2}"#,
        ]
        // Unknown members are printed too, but the known members of an entry are required.
        let entry = #"{"address":"192.0.2.1","new":1,"pinned":false,"state":"new","tags":[],"watched":true}"#
        let first = pages[0].replacing(#"{"address":"192.0.2.1","new":1}"#, with: entry)
        let server = try WireServer(#"{"parameters":\#(first)}"#, #"{"parameters":\#(pages[1])}"#)
        let ended = try BuiltIpctl.run(server, "list", "--all", "--json")
        #expect(ended == .init(status: 0, output: "\(first)\n\(pages[1])\n", errors: ""))
    }

    @Test func `without a match, it prints an error and ends with 1`() throws {
        let none = try BuiltIpctl.run(try WireServer([Sample.page([])]), "list", "--tag", "dns")
        #expect(none == .init(status: 1, output: "", errors: "ipctl: no entry on the watch list matches\n"))
        let empty = try BuiltIpctl.run(try WireServer([Sample.page([])]), "list")
        #expect(empty.status == 1)
        #expect(empty.errorLines.first == "ipctl: the watch list is empty")
        let json = try BuiltIpctl.run(try WireServer([Sample.page([])]), "list", "--json", "--pinned")
        #expect(json == .init(status: 1, output: #"{"entries":[],"total":0}"# + "\n", errors: ""))
    }

    @Test func `an endless list is an internal error`() throws {
        let last = Sample.page([try Self.entry("192.0.2.1")], next: "c", total: 2)
        let first = Array(#"{"parameters":{"next":"c","total":2,"entries":[]}}"#.utf8) + [0]
        for page in [last, first] {
            let ended = try BuiltIpctl.run(try WireServer([page, page, page]), "list", "--all", "--json")
            #expect(ended.status == 70)
            #expect(ended.errors == "ipctl: the daemon returned the same page of the list twice\n")
        }
    }

    @Test func `a page may begin with the cursor or end with it`() throws {
        let entry = #"[{"address":"192.0.2.1","pinned":false,"state":"loading","tags":[],"watched":true}]"#
        let pages = [
            #"{"next":"a","total":3,"entries":\#(entry)}"#, #"{"entries":\#(entry),"next":"b","total":3}"#,
            #"{"total":3,"entries":\#(entry)}"#,
        ]
        let server = try WireServer(pages.map { Array(#"{"parameters":\#($0)}"#.utf8) + [0] })
        let ended = try BuiltIpctl.run(server, "list", "--all", "--json")
        #expect(ended.status == 0)
        #expect(ended.output.split(separator: "\n").count == 3)
    }

    @Test func `an invalid search is a usage error`() throws {
        let server = try WireServer([OutgoingReply.error(.invalidSearch("\"/33\" is not a prefix\u{1B}"))])
        let ended = try BuiltIpctl.run(server, "list", "--search", "192.0.2.0/33")
        let expectedText = "ipctl: invalid search: \"/33\" is not a prefix\u{FFFD}\n"
        #expect(ended == .init(status: 64, output: "", errors: expectedText))
    }

    @Test(
        arguments: [
            (["--limit", "1000000000"], "expected a whole number from 1 to 10000, or use --all"),
            (["--limit", "0"], "expected a whole number from 1 to 10000, or use --all"),
            (["--limit", "5", "--all"], "give --limit or --all, not both"),
            (["--state", "rotten"], "expected one of: loading, fresh, stale, empty, failed"),
            (
                ["--tag", "a,b"],
                "\"a,b\" is not a valid tag: a tag is a single word of at most 64 bytes, with no comma, leading # or"
            ),
            (["--changed-since", "a day"], "expected a duration such as 90s, 24h or 7d, a date such as 2026-11-20"),
            (["--changed-since", "99999999999d"], "expected a duration such as"),
            (["--changed-field", "country"], "--changed-field requires --changed-since"),
            (["--country", "Germany"], "expected a two-letter country code, such as DE"),
            (["--asn", "AS4294967296"], "expected an AS number, such as AS3320 or 3320"),
            (["--flag", "vpn"], "unknown flag \"vpn\"; expected one of: mobile, proxy, hosting"),
            (["--sort", "shoe"], "unknown field to sort by \"shoe\""),
            (["--reverse"], "--reverse requires --sort, such as: --sort "),
            (["--columns", "address,,isp"], "expected names separated by commas"),
            (["--columns", "shoe"], "unknown field \"shoe\""),
            (["--json", "--format", "csv"], "give --json, or --format and --columns, not both"),
        ] as [([String], String)])
    func `invalid arguments are reported before anything is sent`(arguments: [String], text: String) throws {
        let server = try WireServer([Sample.page([])])
        let ended = try BuiltIpctl.run(["--socket", server.path, "list"] + arguments)
        #expect(ended.status == 64)
        #expect(ended.errorLines.first?.contains(text) == true, "\(ended.errors)")
        #expect(server.calls == [])
    }

    // MARK: In a terminal

    private static func printed(_ pages: [[UInt8]], _ environment: [String: String], _ arguments: String...) throws
        -> [String]
    {
        let terminal = try #require(PseudoTerminal(columns: 80))
        let server = try WireServer(pages)
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "list"] + arguments, environment: environment, terminal: terminal.far)
        #expect(ended.status == 0)
        return try terminal.lines()
    }

    private static func entries(_ count: Int) throws -> [Interface.Entry] {
        try (1...count).map { try entry("192.0.2.\($0)") }
    }

    @Test func `on a terminal, each row of JSON Lines has its own line`() throws {
        let lines = try Self.printed(
            [Sample.page(try Self.entries(2))], ["TERM": "dumb"], "--columns", "address", "--format", "jsonl")
        #expect(lines == [#"{"address":"192.0.2.1"}"#, #"{"address":"192.0.2.2"}"#])
    }

    @Test func `on all pages, failed entries have a reason`() throws {
        let pages = [
            Sample.page(try Self.entries(2), next: "c", total: 3),
            Sample.page([try Sample.entry(.failed, address: "192.0.2.3", failure: .timeout)], total: 3),
        ]
        let lines = try Self.printed(pages, ["TERM": "dumb"], "--all")
        #expect(
            lines.last?.hasPrefix("192.0.2.3  failed") == true && lines.last?.contains("it went") == true, "\(lines)")
    }

    @Test func `on a terminal, the last line has the total, and lines fit`() throws {
        let lines = try Self.printed([Sample.page(try Self.entries(2), next: "c", total: 12_345)], ["TERM": "dumb"])
        #expect(lines.count == 4)
        #expect(lines.last == "2 of 12,345 shown; --all shows the rest")
        #expect(lines.allSatisfy { $0.displayWidth <= 80 })
        let all = try Self.printed([Sample.page(try Self.entries(2))], ["TERM": "dumb"])
        #expect(all.count == 3)
    }

    @Test func `output longer than the terminal is paged completely, and shorter output is not`()
        throws
    {
        let folder = try TemporaryFolder()
        let pager = [
            "TERM": "xterm", "NO_COLOR": "1", "PATH": "/usr/bin:/bin", "IPCTL_PAGER": "cat > \(folder.file("p"))",
        ]
        // A terminal of 24 lines shows the titles, 22 entries and the prompt.
        let short = try Self.printed([Sample.page(try Self.entries(22))], pager)
        #expect(short.count == 23)
        #expect(!folder.has("p"))
        let pages = [
            Sample.page(try Self.entries(23), next: "c", total: 24), Sample.page([try Self.entry("192.0.2.99")]),
        ]
        #expect(try Self.printed(pages, pager, "--all") == [])
        let paged = try folder.text("p").split(separator: "\n")
        #expect(paged.count == 25)
        #expect(paged.last == "192.0.2.99  loading")
    }

    @Test func `a pager that quits early is not an error`() throws {
        let pager = ["TERM": "xterm", "PATH": "/usr/bin:/bin", "IPCTL_PAGER": "head -n 1"]
        let pages = try (0..<50).map { Sample.page(try Self.entries(200), next: "\($0)", total: 1) }
        let lines = try Self.printed(pages, pager, "--all")
        #expect(lines.count == 1)
    }

    @Test func `there is no pager on a dumb terminal, with --json, or if the user chose none`() throws {
        let pages = [Sample.page(try Self.entries(30))]
        let folder = try TemporaryFolder()
        let pager = "cat > \(folder.file("p"))"
        #expect(try Self.printed(pages, ["TERM": "dumb", "PAGER": pager]).count == 31)
        #expect(try Self.printed(pages, ["TERM": "xterm", "PAGER": pager, "IPCTL_PAGER": ""]).count == 31)
        #expect(try Self.printed(pages, ["TERM": "xterm", "PAGER": pager, "IPCTL_PAGER": "cat"]).count == 31)
        #expect(try Self.printed(pages, ["TERM": "xterm", "PAGER": pager], "--json").count == 1)
        #expect(!folder.has("p"))
    }

    @Test(arguments: ["nonexist", "/nowhere/less", "/etc/passwd", "nonexist -R"])
    func `without the chosen pager, the list is printed, with a warning`(pager: String) throws {
        let terminal = try #require(PseudoTerminal(columns: 80))
        let server = try WireServer([Sample.page(try Self.entries(30))])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "list"],
            environment: ["TERM": "xterm", "NO_COLOR": "1", "PAGER": pager, "PATH": "/usr/bin:/bin"],
            terminal: terminal.far)
        #expect(ended.status == 0)
        #expect(ended.errors == "ipctl: cannot run the pager \"\(pager)\"; the output is not paged\n")
        #expect(try terminal.lines().count == 31)
    }
}
