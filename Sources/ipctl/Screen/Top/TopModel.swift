import Control

/// What `ipctl top` knows and shows: changed by answers, events and keys, and drawn by `TopFrame`.
///
/// It decides what to ask the daemon for, one thing at a time. A round asks for the status and for the entries that are seen.
/// There is one a second at most, and only where something may be other than it was: after an event, after a moment that an
/// answer named has passed, and every five seconds for what comes without an event, such as labels.
struct TopModel {
    enum Request: Hashable {
        case status
        case page(chunk: Int, ListWindow.Filter)
    }

    var size: WindowSize { didSet { scroll(by: 0) } }
    private(set) var status: Control.Status.Reply?
    private(set) var list = ListWindow()
    /// The oldest first.
    private(set) var events: [TopEvent] = []
    /// The position of the entry in the first row of the list.
    private(set) var offset = 0
    /// What is typed in to be searched for; nil while nothing is.
    private(set) var typing: String?
    /// Why the last search was none.
    private(set) var refusal: String?
    private(set) var isOver = false

    /// What is left of the round.
    private var queue: [Request] = []
    private var outstanding: Request?
    private var roundBeganAt: Int64?
    private var hasNews = false

    private static let shortestRoundMilliseconds: Int64 = 1_000
    private static let longestRoundMilliseconds: Int64 = 5_000
    /// More than the largest screen shows.
    private static let keptEvents = 200
    private static let longestSearch = 200

    init(size: WindowSize) {
        self.size = size
    }

    var layout: TopLayout { TopLayout(size, gauges: status.map { TopGauge.count(in: $0) } ?? 0) }

    /// The positions that are on the screen.
    var seen: Range<Int> { offset..<offset + min(layout.list, max(0, (list.total ?? layout.list) - offset)) }

    private var seenChunks: Range<Int> { ListWindow.chunks(of: seen) }

    // MARK: Asking

    /// What to send now; nil while an answer is awaited, and where there is nothing to ask.
    mutating func nextRequest(at now: Int64) -> Request? {
        guard outstanding == nil else { return nil }
        if queue.isEmpty, isRoundDue(at: now) {
            (roundBeganAt, hasNews) = (now, false)
            queue = [.status] + seenChunks.map { .page(chunk: $0, list.filter) }
        }
        // What was to be asked for may not be on the screen any more.
        let (seen, filter) = (seenChunks, list.filter)
        queue.removeAll { request in
            guard case .page(let chunk, let wanted) = request else { return false }
            return wanted != filter || !seen.contains(chunk)
        }
        if !queue.isEmpty {
            outstanding = queue.removeFirst()
        } else if let chunk = list.missing(of: seen) {
            outstanding = .page(chunk: chunk, filter)
        }
        return outstanding
    }

    /// The answer that comes next is a status.
    var isAwaitingStatus: Bool { outstanding == .status }

    /// Milliseconds until there is something to ask for because of an event; nil where nothing is on its way but time.
    func newsDueIn(at now: Int64) -> Int64? {
        guard outstanding == nil, hasNews, let roundBeganAt else { return nil }
        return max(0, roundBeganAt + Self.shortestRoundMilliseconds - now)
    }

    private func isRoundDue(at now: Int64) -> Bool {
        guard let roundBeganAt, now >= roundBeganAt else { return true }
        let age = now - roundBeganAt
        if age >= Self.longestRoundMilliseconds { return true }
        return age >= Self.shortestRoundMilliseconds
            && (hasNews || moments.contains { $0 > roundBeganAt && $0 <= now })
    }

    /// When what is shown will be other than it is, as far as the daemon has said.
    private var moments: [Int64] {
        (status?.provider.quotas ?? []).compactMap(\.resetsAt) + list.held.compactMap(\.expiresAt)
    }

    // MARK: What comes

    mutating func take(_ reply: Control.Status.Reply) {
        if outstanding == .status { outstanding = nil }
        status = reply
        scroll(by: 0)
    }

    mutating func take(_ reply: Control.List.Reply) {
        guard case .page(let chunk, let filter)? = outstanding else { return }
        outstanding = nil
        guard filter == list.filter else { return }
        list.take(reply, chunk: chunk)
        scroll(by: 0)
        list.keep(seenChunks)
    }

    /// The daemon refused what was asked.
    ///
    /// - Returns: false where that is no matter of what to show.
    mutating func take(_ error: ControlError) -> Bool {
        guard case .page(let chunk, let filter)? = outstanding else { return false }
        switch error {
        case .invalidSearch(let message) where filter.search != nil:
            outstanding = nil
            guard filter == list.filter else { return true }
            show(ListWindow.Filter(state: filter.state))
            refusal = message
        case .invalidCursor where chunk > 0:
            // What the cursor stood for is gone.
            outstanding = nil
            show(list.filter)
        default:
            return false
        }
        return true
    }

    mutating func take(_ event: Interface.Event) {
        if events.isEmpty || !events[events.count - 1].take(event) { events.append(TopEvent(event)) }
        if events.count > Self.keptEvents { events.removeFirst(events.count - Self.keptEvents) }
        if let entry = event.entry { list.update(entry) }
        hasNews = true
    }

    /// Nobody heard of what happened for a while.
    mutating func wakeUp() {
        hasNews = true
    }

    // MARK: Keys

    mutating func take(_ key: Key) {
        refusal = nil
        if typing != nil {
            type(key)
        } else {
            press(key)
        }
    }

    private mutating func press(_ key: Key) {
        switch key {
        case .up, .character("k"): scroll(by: -1)
        case .down, .character("j"): scroll(by: 1)
        case .pageUp: scroll(by: -max(1, layout.list))
        case .pageDown, .character(" "): scroll(by: max(1, layout.list))
        case .home, .character("g"): scroll(by: -offset)
        case .character("/"): typing = list.filter.search ?? ""
        case .character("s"): showNextState()
        case .character("q"): isOver = true
        case .escape where list.filter != ListWindow.Filter(): show(ListWindow.Filter())
        case .enter, .escape, .backspace, .redraw, .character: break
        }
    }

    private mutating func type(_ key: Key) {
        switch key {
        case .character(let character):
            if let typing, typing.count < Self.longestSearch { self.typing = typing + String(character) }
        case .backspace: typing = typing.map { String($0.dropLast()) }
        case .escape: typing = nil
        case .enter:
            let search = typing ?? ""
            typing = nil
            show(ListWindow.Filter(search: search.isEmpty ? nil : search, state: list.filter.state))
        case .up, .down, .pageUp, .pageDown, .home, .redraw: break
        }
    }

    private mutating func showNextState() {
        let states: [String?] = [nil] + StateMark.states
        let index = states.firstIndex(of: list.filter.state) ?? 0
        show(ListWindow.Filter(search: list.filter.search, state: states[(index + 1) % states.count]))
    }

    private mutating func show(_ filter: ListWindow.Filter) {
        list = ListWindow(filter: filter)
        offset = 0
    }

    private mutating func scroll(by rows: Int) {
        let last = max(0, (list.total ?? offset + layout.list) - layout.list)
        offset = min(max(0, offset + rows), last)
    }
}
