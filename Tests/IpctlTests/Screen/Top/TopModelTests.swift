import Control
import RecordKeeping
import Testing
import Varlink

@testable import ipctl

@Suite struct TopModelTests {
    private static let all = ListWindow.Filter()
    private let now = Sample.now

    /// A model that has had its first round, of a list of so many.
    private func model(_ total: Int, rows: Int = 24, status: Control.Status.Reply? = nil) throws -> TopModel {
        var model = TopModel(size: WindowSize(columns: 80, rows: rows))
        #expect(model.nextRequest(at: now) == .status)
        model.take(status ?? Self.quiet)
        try answer(&model, total)
        return model
    }

    /// Nothing in it comes to an end.
    private static var quiet: Control.Status.Reply { Sample.status { $0.provider.quotas[0].resetsAt = nil } }

    /// Answers what is asked for until there is nothing more.
    ///
    /// - Returns: the chunks.
    @discardableResult
    private func answer(_ model: inout TopModel, _ total: Int, at time: Int64? = nil) throws -> [Int] {
        var chunks: [Int] = []
        while let request = model.nextRequest(at: time ?? now) {
            switch request {
            case .status: model.take(Self.quiet)
            case .page(let chunk, _):
                chunks.append(chunk)
                model.take(try ListWindowTests.page(chunk, of: total))
            }
        }
        return chunks
    }

    // MARK: Asking

    @Test func `first the status is asked for, then what is seen, one thing at a time`() throws {
        var model = TopModel(size: WindowSize(columns: 80, rows: 60))
        #expect(model.nextRequest(at: now) == .status)
        #expect(model.isAwaitingStatus)
        #expect(model.nextRequest(at: now) == nil)
        model.take(Self.quiet)
        #expect(model.nextRequest(at: now) == .page(chunk: 0, Self.all))
        #expect(!model.isAwaitingStatus)
        #expect(model.nextRequest(at: now) == nil)
        model.take(try ListWindowTests.page(0, of: 500))
        #expect(model.nextRequest(at: now) == .page(chunk: 1, Self.all))
        model.take(try ListWindowTests.page(1, of: 500))
        #expect(model.nextRequest(at: now) == nil)
    }

    @Test func `nothing is asked anew while nothing happens, but for a look every five seconds`() throws {
        var model = try model(10)
        for time in stride(from: now, to: now + 5_000, by: 100) { #expect(model.nextRequest(at: time) == nil) }
        #expect(model.nextRequest(at: now + 5_000) == .status)
    }

    @Test func `after an event all that is seen is asked anew, at most once a second`() throws {
        var model = try model(10)
        #expect(model.newsDueIn(at: now) == nil)
        for _ in 0..<50 { model.take(try Sample.event(.added)) }
        #expect(model.newsDueIn(at: now + 300) == 700)
        #expect(model.nextRequest(at: now + 999) == nil)
        #expect(model.newsDueIn(at: now + 1_500) == 0)
        #expect(model.nextRequest(at: now + 1_000) == .status)
        #expect(model.newsDueIn(at: now + 1_000) == nil)
        model.take(Self.quiet)
        #expect(try answer(&model, 10, at: now + 1_000) == [0])
        #expect(model.nextRequest(at: now + 4_000) == nil)
    }

    @Test func `once a moment that was named has passed it is asked what came of it`() throws {
        var model = try model(10, status: Sample.status { $0.provider.quotas[0].resetsAt = Sample.wall(3) })
        #expect(model.nextRequest(at: now + 2_999) == nil)
        #expect(model.nextRequest(at: now + 3_000) == .status)
        model.take(Sample.status { $0.provider.quotas[0].resetsAt = Sample.wall(3) })
        try answer(&model, 10, at: now + 3_000)
        // The same moment is no reason again.
        #expect(model.nextRequest(at: now + 4_500) == nil)
    }

    @Test func `a record whose life has ended is such a moment`() throws {
        var model = TopModel(size: WindowSize(columns: 80, rows: 24))
        _ = model.nextRequest(at: now)
        model.take(Self.quiet)
        _ = model.nextRequest(at: now)
        let entry = try Sample.placed(1, 1, expires: 2)
        model.take(Control.List.Reply(entries: [entry], next: nil, total: 1))
        #expect(model.nextRequest(at: now + 1_999) == nil)
        #expect(model.nextRequest(at: now + 2_000) == .status)
    }

    @Test func `a clock that was set back does not stop the asking`() throws {
        var model = try model(10)
        #expect(model.nextRequest(at: now - 3_600_000) == .status)
    }

    // MARK: Scrolling

    @Test func `keys scroll, and stop at both ends`() throws {
        var model = try model(100)
        let page = model.layout.list
        #expect(page == 11)
        for (key, offset) in [
            (.up, 0), (.down, 1), (.character("j"), 2), (.character("k"), 1), (.pageDown, 12), (.pageUp, 1),
            (.pageUp, 0), (.character(" "), 11), (.home, 0),
        ] as [(Key, Int)] {
            model.take(key)
            #expect(model.offset == offset, "\(key)")
        }
        for _ in 0..<50 { model.take(Key.pageDown) }
        #expect(model.seen == 89..<100)
        model.take(Key.character("g"))
        #expect(model.seen == 0..<11)
    }

    @Test func `what comes into sight is asked for at once, chunk by chunk where it is far`() throws {
        var model = try model(200)
        for _ in 0..<10 { model.take(Key.pageDown) }
        #expect(model.seen == 110..<121)
        #expect(try answer(&model, 200) == [1, 2, 3])
        #expect(model.list[110]?.address == "192.0.0.110")
        #expect(model.list[0] == nil)
        // Only what is seen is asked anew.
        model.take(try Sample.event(.added))
        #expect(try answer(&model, 200, at: now + 1_000) == [3])
    }

    @Test func `a list that fits does not scroll, and one that became shorter comes back into sight`() throws {
        var small = try model(5)
        small.take(Key.pageDown)
        #expect(small.seen == 0..<5)
        var model = try model(60)
        for _ in 0..<9 { model.take(Key.pageDown) }
        #expect(model.seen == 49..<60)
        try answer(&model, 60)
        model.take(try Sample.event(.removed))
        #expect(model.nextRequest(at: now + 1_000) == .status)
        model.take(Self.quiet)
        try answer(&model, 20, at: now + 1_000)
        #expect(model.list.total == 20)
        #expect(model.seen == 9..<20)
        #expect(model.list[9] != nil)
    }

    @Test func `a larger screen shows more`() throws {
        var model = try model(100)
        for _ in 0..<50 { model.take(Key.pageDown) }
        model.size = WindowSize(columns: 200, rows: 60)
        #expect(model.seen == 60..<100)
    }

    // MARK: Searching

    @Test func `a search is typed in, and shows what matches from its begin`() throws {
        var model = try model(100)
        model.take(Key.pageDown)
        for key in [.character("/"), .character("q"), .character("x"), .backspace, .character("é")] as [Key] {
            model.take(key)
        }
        #expect(model.typing == "qé")
        #expect(model.seen.lowerBound == 11)
        #expect(!model.isOver)
        model.take(Key.enter)
        #expect(model.typing == nil)
        #expect(model.offset == 0)
        #expect(model.nextRequest(at: now) == .page(chunk: 0, .init(search: "qé")))
        model.take(try ListWindowTests.page(0, of: 3))
        #expect(model.list.total == 3)
        model.take(Key.escape)
        #expect(model.list.filter == Self.all)
    }

    @Test func `a search can be left as it was, changed and taken back`() throws {
        var model = try model(100)
        for key in [.character("/"), .character("a"), .escape] as [Key] { model.take(key) }
        #expect(model.list.filter == Self.all)
        for key in [.character("/"), .character("a"), .enter, .character("/")] as [Key] { model.take(key) }
        #expect(model.typing == "a")
        for key in [.backspace, .backspace, .enter] as [Key] { model.take(key) }
        #expect(model.list.filter == Self.all)
        model.take(Key.character("/"))
        for _ in 0..<1_000 { model.take(Key.character("x")) }
        #expect(model.typing?.count == 200)
    }

    @Test func `states are shown one after the other, the worst first`() throws {
        var model = try model(100)
        let states = (0..<6).map { _ in
            model.take(Key.character("s"))
            return model.list.filter.state
        }
        #expect(states == ["failed", "stale", "loading", "fresh", "empty", nil])
    }

    @Test func `an answer to what is not asked for any more is dropped`() throws {
        var model = try model(100)
        model.take(try Sample.event(.added))
        #expect(model.nextRequest(at: now + 1_000) == .status)
        model.take(Self.quiet)
        #expect(model.nextRequest(at: now + 1_000) == .page(chunk: 0, Self.all))
        model.take(Key.character("s"))
        model.take(try ListWindowTests.page(0, of: 100))
        #expect(model.list.total == nil)
        #expect(model.nextRequest(at: now + 1_000) == .page(chunk: 0, .init(state: "failed")))
    }

    @Test func `a search that is refused is told, and all is shown`() throws {
        var model = try model(100)
        for key in [.character("/"), .character("1"), .enter] as [Key] { model.take(key) }
        #expect(model.nextRequest(at: now) == .page(chunk: 0, .init(search: "1")))
        let isKnown = model.take(ControlError.invalidSearch("no such block"))
        #expect(isKnown)
        #expect(model.refusal == "no such block")
        #expect(model.nextRequest(at: now) == .page(chunk: 0, Self.all))
        model.take(Key.down)
        #expect(model.refusal == nil)
    }

    @Test func `a cursor that is no longer good leads back to the begin, and other refusals are for others`() throws {
        var model = try model(100)
        for _ in 0..<4 { model.take(Key.pageDown) }
        #expect(model.nextRequest(at: now) == .page(chunk: 1, Self.all))
        let isKnown = model.take(ControlError.invalidCursor)
        #expect(isKnown)
        #expect(model.offset == 0)
        #expect(model.nextRequest(at: now) == .page(chunk: 0, Self.all))
        for error in [.invalidCursor, .invalidSearch("none was made"), .service(.permissionDenied)] as [ControlError] {
            let isKnown = model.take(error)
            #expect(!isKnown, "\(error)")
        }
    }

    // MARK: Events

    @Test func `events are kept up to a limit, and bring the entry that they tell of`() throws {
        var model = try model(3)
        let view = EntryView(
            address: try IPAddress("192.0.0.1"), state: .stale, entry: Entry(watch: nil, scan: nil, changedAt: nil),
            expiresAt: nil, reason: nil, failure: nil, nextAttemptAt: nil)
        for _ in 0..<300 { model.take(try Sample.event(.changed, entry: view)) }
        #expect(model.events.count == 200)
        #expect(model.list[1]?.state == "stale")
    }

    @Test func `q ends it`() throws {
        var model = try model(3)
        model.take(Key.character("q"))
        #expect(model.isOver)
    }
}
