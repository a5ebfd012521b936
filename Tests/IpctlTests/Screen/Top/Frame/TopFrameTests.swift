import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct TopFrameTests {
    private static let now = Sample.now

    private static func entries() throws -> [Interface.Entry] {
        let watch = Watch(byClient: true, isPinned: false, tags: [], note: nil)
        return [
            try Sample.placed(1, 1, city: "Berlin", address: "192.0.2.1", expires: 247, pinned: true),
            try Sample.placed(1, 1, state: .stale, city: "東京", address: "192.0.2.2", expires: -12),
            try Sample.entry(.loading, address: "192.0.2.3", watch: watch),
            try Sample.entry(.failed, address: "192.0.2.4", watch: watch, failure: .timeout, nextAttempt: 42),
            try Sample.entry(.empty, address: "10.0.0.1", watch: watch, reason: "private range"),
        ]
    }

    private static func model(
        columns: Int = 80, rows: Int = 24, _ entries: [Interface.Entry]? = nil, keys: [KeyPress] = [],
        events: [Interface.Event] = [], status change: (inout StatusView) -> Void = { _ in }
    ) throws -> TopModel {
        var model = TopModel(size: WindowSize(columns: columns, rows: rows))
        _ = model.nextRequest(at: now)
        model.handle(Sample.status(change))
        _ = model.nextRequest(at: now)
        let shown = try entries ?? Self.entries()
        model.handle(Control.List.Reply(entries: shown, next: nil, total: shown.count))
        for event in events { model.handle(event) }
        for key in keys { model.handle(key) }
        return model
    }

    private static func lines(_ model: TopModel, at time: Int64 = now) -> [String] {
        TopFrame(model: model, now: time).canvas.lines(on: .wide(model.size.columns))
    }

    /// Removes the trailing blanks of reversed rows.
    private static func trimmed(_ line: String) -> String { line.replacing(/\ +$/, with: "") }

    private static func clock(_ secondsFromNow: Int64) -> String {
        Times.clock(now + secondsFromNow * 1_000, from: now)
    }

    @Test func `a screen of 80 columns has everything in its place`() throws {
        let events = [
            try Sample.event(.changed, fields: [FieldChange(field: "isp", old: "A", new: nil)]),
            try Sample.event(.networkLost, address: nil, message: "no route"),
        ]
        let (time, since) = (Self.clock(0), Self.clock(-7_200))
        let expected = """
             iprecordd 1.2.3   up 2 h                                              \(time)
             Network   ● online since \(since)
             Provider  ● ok since \(Self.clock(-3_600))   ip-api.com   12,345 calls, 2 failed
             Watched   1,500  ● 1,490 fresh  ✖ 13 failed  3 only looked up
             Quota single  ━━━━━━━━━─  40/45  0:30  Quota batch   no limit reported
             Load          ━━━╸──────  34 %         Refresh       2 due, more in 4 s, 100 …
               ADDRESS          STATE      PLACE           NETWORK                  REFRESH
            >★ 192.0.2.1        ● fresh    Berlin, DE      AS64500 Example             4:07
               192.0.2.2        ◐ stale    東京, DE        AS64500 Example            -0:12
               192.0.2.3        ◌ loading
               192.0.2.4        ✖ failed   it went wrong                               0:42
               10.0.0.1         ○ empty    private range






            ── Events ──────────────────────────────────────────────────────────────────────
             \(time)  192.0.2.1 changed: provider A → (none)
             \(time)  network lost: no route


             q quit   ? help   / search   s state   Enter details   Space mark     1–5 of 5
            """
        let lines = Self.lines(try Self.model(events: events)).map(Self.trimmed)
        #expect(lines.count == 24)
        for (line, wanted) in zip(lines, expected.split(separator: "\n", omittingEmptySubsequences: false)) {
            #expect(line == wanted)
        }
    }

    @Test func `a record of local databases is marked, and replaces only a missing record`() throws {
        var entries = try Self.entries()
        for index in entries.indices { entries[index].offline = Sample.offline }
        entries[4].offline?.record.city = nil
        entries[4].offline?.record.countryCode = nil
        let lines = Self.lines(try Self.model(columns: 200, entries))
        func line(_ address: String) throws -> String { try #require(lines.first { $0.contains(address) }) }
        #expect(try line("192.0.2.2").contains("東京, DE") && !line("192.0.2.2").contains("offline"))
        #expect(try line("192.0.2.4").contains("offline: Ulm, DE"))
        #expect(try line("192.0.2.4").contains("AS64496 Offline"))
        #expect(try line("192.0.2.4").contains("it went wrong"))
        #expect(try line("10.0.0.1").contains(/empty +offline +AS64496 Offline/))
    }

    @Test func `before the first reply, the screen says so`() {
        let lines = Self.lines(TopModel(size: WindowSize(columns: 80, rows: 24)))
        #expect(lines[1] == " waiting for the daemon …")
        #expect(lines.count == 24)
    }

    @Test func `countdowns run with the clock, and nothing else changes`() throws {
        let model = try Self.model()
        let (before, after) = (Self.lines(model), Self.lines(model, at: Self.now + 1_000).map(Self.trimmed))
        let changed = zip(before.map(Self.trimmed), after).filter { $0 != $1 }.map(\.1)
        #expect(changed.contains { $0.hasSuffix("4:06") })
        #expect(changed.contains { $0.hasSuffix("-0:13") })
        #expect(changed.contains { $0.hasSuffix("0:41") })
        #expect(changed.contains { $0.contains("40/45  0:29") })
        #expect(before.count == after.count)
    }

    @Test(arguments: [(80, 24), (200, 60), (40, 12), (30, 8), (12, 30), (3, 3), (1, 1), (0, 0)])
    func `a screen of any size is filled and never more`(columns: Int, rows: Int) throws {
        let long = String(repeating: "very long ", count: 100)
        let events = try (0..<50).map { _ in try Sample.event(.failed, message: long) }
        var model = try Self.model(columns: columns, rows: rows, events: events) {
            ($0.isOnline, $0.networkReason, $0.provider.message) = (false, long, long)
        }
        let typed: [KeyPress] = [.escape, .character("/")] + long.map { .character($0) }
        // The help, the card, and the search.
        for keys in [[], [.character("?")], [.character("x"), .enter], typed] as [[KeyPress]] {
            for key in keys { model.handle(key) }
            let canvas = TopFrame(model: model, now: Self.now).canvas
            #expect((canvas.columns, canvas.rows) == (columns, rows))
            for hasColor in [false, true] {
                let lines = canvas.lines(on: Terminal(hasColor: hasColor, columns: columns))
                #expect(lines.count == rows)
                #expect(lines.allSatisfy { PlainText.text($0).displayWidth <= columns })
            }
        }
    }

    @Test func `a narrow screen shows the most important columns`() throws {
        let lines = Self.lines(try Self.model(columns: 40, rows: 8)).map(Self.trimmed)
        #expect(
            lines == [
                " iprecordd 1.2.3   up 2 h      \(Self.clock(0))", "   ADDRESS          STATE       REFRESH",
                ">★ 192.0.2.1        ● fresh        4:07", "   192.0.2.2        ◐ stale       -0:12",
                "   192.0.2.3        ◌ loading", "   192.0.2.4        ✖ failed       0:42",
                "   10.0.0.1         ○ empty", " q quit   ? help   / search    1–5 of 5",
            ])
    }

    @Test func `a wide screen shows names, tags and remaining lifetimes`() throws {
        let lines = Self.lines(try Self.model(columns: 200, rows: 60))
        let row = try #require(lines.first { $0.contains("192.0.2.1") })
        #expect(row.contains("Berlin, DE"))
        #expect(row.contains("AS64500 Example"))
        #expect(row.contains("host.example"))
        #expect(row.contains("dns, prod"))
        #expect(Self.trimmed(row).hasSuffix(" ━━━━━━━━━━──    4:07"))
        let stale = try #require(lines.first { $0.contains("192.0.2.2") })
        #expect(stale.hasSuffix(" ────────────   -0:12"))
    }

    @Test func `gauges show the remaining quota and the time to its reset, as wide as possible`() throws {
        let usual = Self.lines(try Self.model())
        #expect(usual[4] == " Quota single  ━━━━━━━━━─  40/45  0:30  Quota batch   no limit reported")
        let wide = Self.lines(try Self.model(columns: 200, rows: 60))
        #expect(wide[5].hasPrefix(" Quota single  ━━━━━━━━━━━━━━━━━━──  40/45  0:30"))
    }

    @Test func `a lost network and a failing provider are shown with their reasons`() throws {
        let model = try Self.model {
            ($0.isOnline, $0.networkReason) = (false, "no route to 203.0.113.7")
            ($0.provider.state, $0.provider.message) = (.failing, "it answers 503")
        }
        let canvas = TopFrame(model: model, now: Self.now).canvas
        let lines = canvas.lines(on: .wide(80))
        #expect(lines[1] == " Network   ✖ offline since \(Self.clock(-7_200)): no route to 203.0.113.7")
        #expect(lines[2] == " Provider  ✖ failing since \(Self.clock(-3_600)): it answers 503")
        #expect(canvas[column: 11, row: 1].cellStyle == CellStyle(style: .bad, isBold: true))
    }

    @Test func `states have their colours, and a new record is highlighted for two seconds`() throws {
        let model = try Self.model()
        func cellStyle(_ column: Int, _ row: Int, at time: Int64 = Self.now) -> CellStyle {
            TopFrame(model: model, now: time).canvas[column: column, row: row].cellStyle
        }
        // The entry was scanned a second ago.
        // The first row is selected.
        #expect(cellStyle(20, 7) == CellStyle(style: .good, isBold: true, isReversed: true))
        #expect(cellStyle(3, 7) == CellStyle(isBold: true, isReversed: true))
        #expect(cellStyle(20, 7, at: Self.now + 1_000) == CellStyle(style: .good, isReversed: true))
        #expect(cellStyle(3, 7, at: Self.now + 1_000) == .reversed)
        #expect(cellStyle(1, 7) == CellStyle(style: .caution, isReversed: true))
        #expect(cellStyle(79, 7) == .reversed)
        #expect(cellStyle(3, 9) == .plain)
        #expect(cellStyle(20, 9) == CellStyle(style: .caution))
        #expect(cellStyle(20, 10) == CellStyle(style: .bad))
        #expect(cellStyle(20, 11) == .plain)
    }

    @Test func `the last row shows the keys, the search, and the typed text`() throws {
        let few = Self.lines(try Self.model())
        #expect(
            Self.trimmed(few[23]) == " q quit   ? help   / search   s state   Enter details   Space mark     1–5 of 5")
        let filtered = Self.lines(try Self.model(keys: [.character("/"), .character("x"), .enter, .character("s")]))
        #expect(filtered[23].hasPrefix(" q quit   ? help   Esc all   / search: x   s state: failed"))
        let typing = Self.lines(try Self.model(keys: [.character("/"), .character("x"), .character("y")]))
        #expect(Self.trimmed(typing[23]) == " Search: xy▏")
        let long = Self.lines(try Self.model(columns: 20, keys: "/abcdefghijklmnop".map { .character($0) }))
        #expect(Self.trimmed(long[23]) == " Search: hijklmnop▏")
    }

    @Test func `an empty list shows advice, and a search without matches says so`() throws {
        #expect(
            Self.lines(try Self.model([])).contains("   The watch list is empty. Add addresses with: ipctl add"))
        var model = try Self.model(keys: [.character("s")])
        _ = model.nextRequest(at: Self.now)
        model.handle(Control.List.Reply(entries: [], next: nil, total: 0))
        #expect(Self.lines(model).contains("   No entries match."))
    }

    @Test func `the last events are shown, the newest at the bottom`() throws {
        let events = try (0..<9).map { try Sample.event(.added, address: "192.0.2.\($0)") }
        let lines = Self.lines(try Self.model(events: events))
        #expect(lines[18].hasPrefix("── Events ──"))
        #expect(lines[19...22] == ArraySlice((5..<9).map { " \(Self.clock(0))  now watching 192.0.2.\($0)" }))
        #expect(Self.lines(try Self.model())[19] == " no events yet")
    }

    @Test func `the daemon's text cannot change the terminal`() throws {
        var entry = try Sample.entry(.failed, failure: .timeout)
        entry.failure?.message = "\u{1B}[2J\u{7}\n"
        let model = try Self.model([entry], events: [try Sample.event(.failed, message: "\u{1B}]0;x\u{7}")])
        let text = Self.lines(model).joined()
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
}
