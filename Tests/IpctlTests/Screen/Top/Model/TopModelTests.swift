import Control
import Testing
import Varlink

@testable import RecordKeeping
@testable import ipctl

@Suite struct TopModelTests {
    private static let all = ListWindow.Filter()
    private let now = Sample.now

    /// A model after its first round, with a list of a length.
    private func model(_ total: Int, rows: Int = 24, status: Control.Status.Reply? = nil) throws -> TopModel {
        var model = TopModel(size: WindowSize(columns: 80, rows: rows))
        #expect(model.nextRequest(at: now) == .status)
        model.handle(status ?? Self.quiet)
        try answer(&model, total)
        return model
    }

    /// A status without announced times.
    private static var quiet: Control.Status.Reply { Sample.status { $0.provider.quotas[0].resetsAt = nil } }

    /// Replies to the requests until there are no more.
    ///
    /// - Returns: the requested chunks.
    @discardableResult
    private func answer(_ model: inout TopModel, _ total: Int, at time: Int64? = nil) throws -> [Int] {
        var chunks: [Int] = []
        while let request = model.nextRequest(at: time ?? now) {
            switch request {
            case .status: model.handle(Self.quiet)
            case .page(let range, _):
                chunks += range
                model.handle(try ListWindowTests.page(range, of: total))
            case .act, .entry, .history: Issue.record("\(request)")
            }
        }
        return chunks
    }

    // MARK: Asking

    @Test func `the status is requested first, then the visible entries, one at a time`() throws {
        var model = TopModel(size: WindowSize(columns: 80, rows: 60))
        #expect(model.nextRequest(at: now) == .status)
        #expect(model.outstanding == .status)
        #expect(model.nextRequest(at: now) == nil)
        model.handle(Self.quiet)
        #expect(model.nextRequest(at: now) == .page(chunks: 0..<2, Self.all))
        #expect(model.nextRequest(at: now) == nil)
        model.handle(try ListWindowTests.page(0..<2, of: 500))
        #expect(model.nextRequest(at: now) == nil)
    }

    @Test func `an empty list is read again, because entries may be added`() throws {
        var model = try model(0)
        model.handle(try Sample.event(.added))
        #expect(try answer(&model, 3, at: now + 1_000) == [0])
        #expect(model.visible == 0..<3)
    }

    @Test func `without events, there is one round every five seconds`() throws {
        var model = try model(10)
        for time in stride(from: now, to: now + 5_000, by: 100) { #expect(model.nextRequest(at: time) == nil) }
        #expect(model.nextRequest(at: now + 5_000) == .status)
    }

    @Test func `after an event, the visible entries are read again, at most once a second`() throws {
        var model = try model(10)
        #expect(model.roundDueIn(at: now) == nil)
        for _ in 0..<50 { model.handle(try Sample.event(.added)) }
        #expect(model.roundDueIn(at: now + 300) == 700)
        #expect(model.nextRequest(at: now + 999) == nil)
        #expect(model.roundDueIn(at: now + 1_500) == 0)
        #expect(model.nextRequest(at: now + 1_000) == .status)
        #expect(model.roundDueIn(at: now + 1_000) == nil)
        model.handle(Self.quiet)
        #expect(try answer(&model, 10, at: now + 1_000) == [0])
        #expect(model.nextRequest(at: now + 4_000) == nil)
    }

    @Test func `an announced time starts a round when it has passed`() throws {
        var model = try model(10, status: Sample.status { $0.provider.quotas[0].resetsAt = Sample.wall(3) })
        #expect(model.nextRequest(at: now + 2_999) == nil)
        #expect(model.nextRequest(at: now + 3_000) == .status)
        model.handle(Sample.status { $0.provider.quotas[0].resetsAt = Sample.wall(3) })
        try answer(&model, 10, at: now + 3_000)
        // The same time does not start another round.
        #expect(model.nextRequest(at: now + 4_500) == nil)
    }

    @Test func `an expired record starts a round`() throws {
        var model = TopModel(size: WindowSize(columns: 80, rows: 24))
        _ = model.nextRequest(at: now)
        model.handle(Self.quiet)
        _ = model.nextRequest(at: now)
        let entry = try Sample.placed(1, 1, expires: 2)
        model.handle(Control.List.Reply(entries: [entry], next: nil, total: 1))
        #expect(model.nextRequest(at: now + 1_999) == nil)
        #expect(model.nextRequest(at: now + 2_000) == .status)
    }

    @Test func `a clock that was set back does not stop the rounds`() throws {
        var model = try model(10)
        #expect(model.nextRequest(at: now - 3_600_000) == .status)
    }

    // MARK: Scrolling

    @Test func `keys move the selection, and stop at both ends`() throws {
        var model = try model(100)
        let page = model.layout.list
        #expect(page == 11)
        for (key, position, offset) in [
            (.up, 0, 0), (.down, 1, 0), (.character("j"), 2, 0), (.character("k"), 1, 0), (.pageDown, 12, 11),
            (.pageUp, 1, 0), (.pageUp, 0, 0), (.home, 0, 0), (.end, 99, 89), (.up, 98, 89), (.character("g"), 0, 0),
            (.character("G"), 99, 89), (.pageDown, 99, 89), (.pageUp, 88, 78),
        ] as [(KeyPress, Int, Int)] {
            model.handle(key)
            #expect((model.selection.position, model.selection.offset) == (position, offset), "\(key)")
        }
    }

    @Test func `the wheel scrolls, and a click selects a row`() throws {
        var model = try model(100)
        model.handle(KeyPress.wheelDown)
        #expect((model.selection.position, model.selection.offset) == (3, 3))
        model.handle(KeyPress.click(column: 40, row: model.layout.firstListRow + 5))
        #expect(model.selection.position == 8)
        model.handle(KeyPress.wheelDown)
        #expect((model.selection.position, model.selection.offset) == (8, 6))
        for row in [0, model.layout.firstListRow - 1, model.layout.firstListRow + 11, 23] {
            model.handle(KeyPress.click(column: 1, row: row))
            #expect(model.selection.position == 8)
        }
        for _ in 0..<9 { model.handle(KeyPress.wheelUp) }
        #expect((model.selection.position, model.selection.offset) == (8, 0))
    }

    @Test func `entries that become visible are read at once`() throws {
        var model = try model(200)
        for _ in 0..<10 { model.handle(KeyPress.pageDown) }
        #expect(model.visible == 110..<121)
        #expect(try answer(&model, 200) == [1, 2, 3])
        #expect(model.list[110]?.address == "192.0.0.110")
        #expect(model.selection.address == "192.0.0.110")
        #expect(model.list[0] == nil)
        // Only visible chunks are read again.
        model.handle(try Sample.event(.added))
        #expect(try answer(&model, 200, at: now + 1_000) == [3])
    }

    @Test func `a list that fits does not scroll, and a shortened list stays visible`() throws {
        var small = try model(5)
        small.handle(KeyPress.pageDown)
        #expect(small.visible == 0..<5)
        #expect(small.selection.position == 4)
        var model = try model(60)
        model.handle(KeyPress.end)
        #expect(model.visible == 49..<60)
        try answer(&model, 60)
        model.handle(try Sample.event(.removed))
        #expect(model.nextRequest(at: now + 1_000) == .status)
        model.handle(Self.quiet)
        try answer(&model, 20, at: now + 1_000)
        #expect(model.list.total == 20)
        #expect(model.visible == 9..<20)
        #expect(model.list[9] != nil)
        #expect(model.selection.address == "192.0.0.19")
    }

    @Test func `a larger screen shows more`() throws {
        var model = try model(100)
        model.handle(KeyPress.end)
        model.size = WindowSize(columns: 200, rows: 60)
        #expect(model.visible == 60..<100)
    }

    // MARK: Searching

    @Test func `a typed search shows its matches from the beginning`() throws {
        var model = try model(100)
        model.handle(KeyPress.pageDown)
        for key in [.character("/"), .character("q"), .character("x"), .backspace, .character("é")] as [KeyPress] {
            model.handle(key)
        }
        #expect(model.overlay == .prompt(TopPrompt(purpose: .search, text: "qé")))
        #expect(model.visible.lowerBound == 11)
        #expect(!model.isOver)
        model.handle(KeyPress.enter)
        #expect(model.overlay == nil)
        #expect(model.selection.offset == 0)
        #expect(model.nextRequest(at: now) == .page(chunks: 0..<1, .init(search: "qé")))
        model.handle(try ListWindowTests.page(0..<1, of: 3))
        #expect(model.list.total == 3)
        model.handle(KeyPress.escape)
        #expect(model.list.filter == Self.all)
    }

    @Test func `a search can be cancelled, changed and cleared`() throws {
        var model = try model(100)
        for key in [.character("/"), .character("a"), .escape] as [KeyPress] { model.handle(key) }
        #expect(model.list.filter == Self.all)
        for key in [.character("/"), .character("a"), .enter, .character("/")] as [KeyPress] { model.handle(key) }
        #expect(model.overlay == .prompt(TopPrompt(purpose: .search, text: "a")))
        for key in [.backspace, .backspace, .enter] as [KeyPress] { model.handle(key) }
        #expect(model.list.filter == Self.all)
        model.handle(KeyPress.character("/"))
        for _ in 0..<1_000 { model.handle(KeyPress.character("x")) }
        let text = String(repeating: "x", count: 200)
        #expect(model.overlay == .prompt(TopPrompt(purpose: .search, text: text)))
    }

    @Test func `states are shown one after the other, the worst first`() throws {
        var model = try model(100)
        let states = (0..<6).map { _ in
            model.handle(KeyPress.character("s"))
            return model.list.filter.state
        }
        #expect(states == ["failed", "stale", "loading", "fresh", "empty", nil])
    }

    @Test func `an outdated reply is dropped`() throws {
        var model = try model(100)
        model.handle(try Sample.event(.added))
        #expect(model.nextRequest(at: now + 1_000) == .status)
        model.handle(Self.quiet)
        #expect(model.nextRequest(at: now + 1_000) == .page(chunks: 0..<1, Self.all))
        model.handle(KeyPress.character("s"))
        model.handle(try ListWindowTests.page(0..<1, of: 100))
        #expect(model.list.total == nil)
        #expect(model.nextRequest(at: now + 1_000) == .page(chunks: 0..<1, .init(state: "failed")))
    }

    @Test func `an invalid search is reported, and the whole list is shown`() throws {
        var model = try model(100)
        for key in [.character("/"), .character("1"), .enter] as [KeyPress] { model.handle(key) }
        #expect(model.nextRequest(at: now) == .page(chunks: 0..<1, .init(search: "1")))
        let isKnown = model.handle(CommandError(.invalidSearch("no such block"), from: ""))
        #expect(isKnown)
        #expect(model.message == .failed("Invalid search: no such block"))
        #expect(model.nextRequest(at: now) == .page(chunks: 0..<1, Self.all))
        model.handle(KeyPress.down)
        #expect(model.message == nil)
    }

    @Test func `an invalid cursor restarts the list, and other errors are passed on`() throws {
        var model = try model(100)
        for _ in 0..<4 { model.handle(KeyPress.pageDown) }
        #expect(model.nextRequest(at: now) == .page(chunks: 1..<2, Self.all))
        let isKnown = model.handle(CommandError(.invalidCursor, from: ""))
        #expect(isKnown)
        #expect(model.selection.offset == 0)
        #expect(model.nextRequest(at: now) == .page(chunks: 0..<1, Self.all))
        for error in [.invalidCursor, .invalidSearch("none was made"), .service(.permissionDenied)] as [ControlError] {
            let isKnown = model.handle(CommandError(error, from: ""))
            #expect(!isKnown, "\(error)")
        }
    }

    // MARK: Events

    @Test func `events are kept up to a limit, and update their entries`() throws {
        var model = try model(3)
        let view = EntryView(
            address: try IPAddress("192.0.0.1"), state: .stale, entry: Entry(watch: nil, scan: nil, changedAt: nil),
            expiresAt: nil, reason: nil, failure: nil, nextAttemptAt: nil)
        for _ in 0..<300 { model.handle(try Sample.event(.changed, entry: view)) }
        #expect(model.events.count == 200)
        #expect(model.list[1]?.state == "stale")
    }

    @Test func `q quits`() throws {
        var model = try model(3)
        model.handle(KeyPress.character("q"))
        #expect(model.isOver)
    }
}
