import Control

/// The state of `ipctl top`. Replies, events and keys change it, and `TopFrame` draws it.
///
/// The model decides which call to make next, one call at a time. A round reads the status and the visible entries.
/// Rounds are at least a second apart, and start only if something may have changed: after an event, at a time
/// announced by a reply, and every five seconds for changes without events, such as labels.
struct TopModel {
    enum Request: Hashable {
        case status
        case page(chunk: Int, ListWindow.Filter)
    }

    var size: WindowSize { didSet { scroll(by: 0) } }
    private(set) var status: Control.Status.Reply?
    private(set) var list = ListWindow()
    /// The last events, oldest first.
    private(set) var events: [TopEvent] = []
    /// The position of the entry in the first row of the list.
    private(set) var offset = 0
    /// The search text while the user types it; nil otherwise.
    private(set) var typing: String?
    /// The reason why the last search was invalid.
    private(set) var searchError: String?
    private(set) var isOver = false
    /// Whether the daemon has closed the connection and has not replied since.
    private(set) var isDisconnected = false

    /// The remaining requests of the round.
    private var queue: [Request] = []
    private var outstanding: Request?
    private var roundBeganAt: Int64?
    private var needsRound = false

    private static let minRoundMilliseconds: Int64 = 1_000
    private static let maxRoundMilliseconds: Int64 = 5_000
    /// The maximum number of events, more than the largest screen shows.
    private static let maxEvents = 200
    private static let maxSearchLength = 200

    init(size: WindowSize) {
        self.size = size
    }

    var layout: TopLayout { TopLayout(size, gauges: status.map { TopGauge.count(in: $0) } ?? 0) }

    /// The visible positions.
    var visible: Range<Int> {
        offset..<offset + min(layout.list, max(0, (list.total ?? layout.list).clampedSubtracting(offset)))
    }

    private var visibleChunks: Range<Int> { ListWindow.chunks(of: visible) }

    // MARK: Requests

    /// Returns the next request; nil while a reply is pending, or if there is nothing to request.
    mutating func nextRequest(at now: Int64) -> Request? {
        guard outstanding == nil else { return nil }
        if queue.isEmpty, isRoundDue(at: now) {
            (roundBeganAt, needsRound) = (now, false)
            queue = [.status] + visibleChunks.map { .page(chunk: $0, list.filter) }
        }
        // Queued pages may no longer be visible.
        let (visible, filter) = (visibleChunks, list.filter)
        queue.removeAll { request in
            guard case .page(let chunk, let wanted) = request else { return false }
            return wanted != filter || !visible.contains(chunk)
        }
        if !queue.isEmpty {
            outstanding = queue.removeFirst()
        } else if let chunk = list.missing(of: visible) {
            outstanding = .page(chunk: chunk, filter)
        }
        return outstanding
    }

    /// Whether the next reply is a status.
    var isAwaitingStatus: Bool { outstanding == .status }

    /// Returns the milliseconds until the round that an event requires; nil if no event requires a round.
    func roundDueIn(at now: Int64) -> Int64? {
        guard outstanding == nil, needsRound, let roundBeganAt else { return nil }
        return max(0, roundBeganAt + Self.minRoundMilliseconds - now)
    }

    private func isRoundDue(at now: Int64) -> Bool {
        guard let roundBeganAt, now >= roundBeganAt else { return true }
        let age = now - roundBeganAt
        if age >= Self.maxRoundMilliseconds { return true }
        return age >= Self.minRoundMilliseconds
            && (needsRound || moments.contains { $0 > roundBeganAt && $0 <= now })
    }

    /// The announced times at which the shown values change.
    private var moments: [Int64] {
        (status?.provider.quotas ?? []).compactMap(\.resetsAt) + list.loadedEntries.compactMap(\.expiresAt)
    }

    // MARK: Replies and events

    mutating func handle(_ reply: Control.Status.Reply) {
        if outstanding == .status { outstanding = nil }
        isDisconnected = false
        status = reply
        scroll(by: 0)
    }

    mutating func handle(_ reply: Control.List.Reply) {
        guard case .page(let chunk, let filter)? = outstanding else { return }
        outstanding = nil
        guard filter == list.filter else { return }
        list.apply(reply, chunk: chunk)
        scroll(by: 0)
        list.retain(visibleChunks)
    }

    /// Handles an error from the daemon.
    ///
    /// - Returns: false if the error does not concern the shown list.
    mutating func handle(_ error: ControlError) -> Bool {
        guard case .page(let chunk, let filter)? = outstanding else { return false }
        switch error {
        case .invalidSearch(let message) where filter.search != nil:
            outstanding = nil
            guard filter == list.filter else { return true }
            show(ListWindow.Filter(state: filter.state))
            searchError = message
        case .invalidCursor where chunk > 0:
            // The entry that the cursor names was removed.
            outstanding = nil
            show(list.filter)
        default:
            return false
        }
        return true
    }

    mutating func handle(_ event: Interface.Event) {
        if events.isEmpty || !events[events.count - 1].merge(event) { events.append(TopEvent(event)) }
        if events.count > Self.maxEvents { events.removeFirst(events.count - Self.maxEvents) }
        if let entry = event.entry { list.update(entry) }
        needsRound = true
    }

    /// Requires a round, because events may have been missed.
    mutating func requireRound() {
        needsRound = true
    }

    /// Handles the end of the connection: no more replies arrive, and everything is requested again after a
    /// reconnection.
    mutating func didDisconnect() {
        isDisconnected = true
        (outstanding, queue, roundBeganAt) = (nil, [], nil)
    }

    // MARK: Keys

    mutating func handle(_ key: KeyPress) {
        searchError = nil
        if typing != nil {
            type(key)
        } else {
            press(key)
        }
    }

    private mutating func press(_ key: KeyPress) {
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

    private mutating func type(_ key: KeyPress) {
        switch key {
        case .character(let character):
            if let typing, typing.count < Self.maxSearchLength { self.typing = typing + String(character) }
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
        let last = max(0, (list.total ?? offset + layout.list).clampedSubtracting(layout.list))
        offset = min(max(0, offset.clampedAdding(rows)), last)
    }
}
