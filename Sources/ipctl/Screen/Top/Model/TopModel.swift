import Control

/// The state of `ipctl top`. Replies, events and keys change it, and `TopFrame` draws it.
///
/// The model decides which call to make next, one call at a time. Changes that the user requests come first. A round
/// reads the status and the visible entries, or the entry and the history of the card. Rounds are at least a second
/// apart, and start only if something may have changed: after an event or a change, at a time announced by a reply, and
/// every five seconds for changes without events, such as labels.
struct TopModel {
    enum Request: Hashable {
        case act(TopAct)
        case status
        case page(chunks: Range<Int>, ListWindow.Filter)
        /// The entry of the card.
        case entry(address: String)
        /// The history of the card.
        case history(address: String)
    }

    var size: WindowSize { didSet { followSelection() } }
    private(set) var status: Control.Status.Reply?
    var list: ListWindow
    var selection = ListSelection()
    /// The marked addresses, each with whether its entry was pinned when it was last read.
    var marks: [String: Bool] = [:]
    /// The last events, oldest first.
    private(set) var events: [TopEvent] = []
    var page = TopPage.list
    /// The part of the screen that receives the keys; nil if the page receives them.
    var overlay: TopOverlay?
    var message: TopMessage?
    var isOver = false
    /// Whether the daemon has closed the connection and has not replied since.
    private(set) var isDisconnected = false

    /// The changes that have not been requested yet.
    var acts: [TopAct] = []
    /// The remaining requests of the round.
    private var queue: [Request] = []
    /// The request whose reply is pending.
    private(set) var outstanding: Request?
    private(set) var roundBeganAt: Int64?
    private var needsRound = false

    private static let minRoundMilliseconds: Int64 = 1_000
    private static let maxRoundMilliseconds: Int64 = 5_000
    /// The maximum number of events, more than the largest screen shows.
    private static let maxEvents = 200

    /// - Parameter filter: the filter of the command line; nil for the whole list.
    init(size: WindowSize, filter: Interface.Filter? = nil) {
        self.size = size
        list = ListWindow(filter: ListWindow.Filter(fixed: filter))
    }

    var layout: TopLayout {
        TopLayout(size, gauges: status.map { TopGauge.count(in: $0) } ?? 0, hasFilter: list.filter.fixed != nil)
    }

    /// The visible positions.
    var visible: Range<Int> { selection.visible(of: list, rows: layout.list) }

    /// The chunks to read; the first chunk of an empty list, because entries may be added.
    private var visibleChunks: Range<Int> {
        let chunks = ListWindow.chunks(of: visible)
        return chunks.isEmpty ? 0..<1 : chunks
    }

    // MARK: Requests

    /// Returns the next request; nil while a reply is pending, or if there is nothing to request.
    mutating func nextRequest(at now: Int64) -> Request? {
        guard outstanding == nil else { return nil }
        if !acts.isEmpty {
            outstanding = .act(acts.removeFirst())
            return outstanding
        }
        if queue.isEmpty, isRoundDue(at: now) {
            (roundBeganAt, needsRound) = (now, false)
            queue = [.status] + roundRequests
        }
        queue = queue.filter { isCurrent($0) }
        outstanding = queue.isEmpty ? missingRequest : queue.removeFirst()
        return outstanding
    }

    /// The requests of a round after the status.
    private var roundRequests: [Request] {
        switch page {
        case .card(let card): [.entry(address: card.address), .history(address: card.address)]
        case .list: [.page(chunks: list.reading(visibleChunks), list.filter)]
        }
    }

    /// The request for a part of the page that has not been read yet.
    private var missingRequest: Request? {
        switch page {
        case .card(let card): card.changes == .unread ? .history(address: card.address) : nil
        case .list: list.missing(of: visibleChunks).map { .page(chunks: $0, list.filter) }
        }
    }

    /// Whether the result of a request of the round is still shown.
    private func isCurrent(_ request: Request) -> Bool {
        switch (request, page) {
        case (.page(let chunks, let filter), .list):
            // If cursors are missing, the chunks may precede the visible ones.
            filter == list.filter && list.reading(visibleChunks).overlaps(chunks)
        case (.entry(let address), .card(let card)), (.history(let address), .card(let card)):
            address == card.address
        case (.page, _), (.entry, _), (.history, _): false
        case (.status, _), (.act, _): true
        }
    }

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

    /// Requires a round, because events may have been missed, or because something may have changed without an event.
    mutating func requireRound() {
        needsRound = true
    }

    // MARK: Replies and events

    mutating func handle(_ reply: Control.Status.Reply) {
        if outstanding == .status { outstanding = nil }
        isDisconnected = false
        status = reply
        followSelection()
    }

    mutating func handle(_ reply: Control.List.Reply) {
        defer { reply.entries.forEach { updateMark(of: $0) } }
        if case .entry(let address)? = outstanding {
            outstanding = nil
            updateCard(of: address) { $0.update(reply) }
            reply.entries.forEach { list.update($0) }
            return
        }
        guard case .page(let chunks, let filter)? = outstanding else { return }
        outstanding = nil
        guard filter == list.filter else { return }
        list.apply(reply, chunks: chunks)
        for entry in reply.entries { updateCard(of: entry.address) { $0.update(entry) } }
        followSelection()
        list.retain(visibleChunks)
    }

    mutating func handle(_ reply: Control.History.Reply) {
        guard case .history(let address)? = outstanding else { return }
        outstanding = nil
        updateCard(of: address) { $0.changes = .read(reply.changes) }
    }

    mutating func handle(_ reply: Control.Refresh.Reply) {
        guard finishAct() != nil else { return }
        message = .refreshed(reply)
    }

    mutating func handle(_ reply: Control.Label.Reply) {
        guard case .label(let labelling)? = finishAct() else { return }
        message = .done(labelling.sentence(changed: reply.changed))
        guard let isPinned = labelling.isPinned else { return }
        for address in labelling.addresses where marks[address] != nil { marks[address] = isPinned }
    }

    /// Handles an error from the daemon.
    ///
    /// - Returns: false if the error ends the program.
    mutating func handle(_ error: CommandError) -> Bool {
        switch (outstanding, error.controlError) {
        case (.act(let act)?, let controlError):
            finishAct()
            message = .failed(act.explained(error).message)
            // The other marked entries can still be changed.
            if case .notWatched(let address)? = controlError { marks[address] = nil }
        case (.history(let address)?, _):
            outstanding = nil
            updateCard(of: address) { $0.changes = .failed(error.message) }
        case (.page(_, let filter)?, .invalidSearch(let reason)?) where filter.search != nil:
            outstanding = nil
            guard filter == list.filter else { return true }
            show(ListWindow.Filter(state: filter.state, fixed: filter.fixed))
            message = .failed("Invalid search: \(reason)")
        case (.page(let chunks, _)?, .invalidCursor?) where chunks.lowerBound > 0:
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
        if let entry = event.entry {
            list.update(entry)
            updateCard(of: entry.address) { $0.update(entry) }
        }
        if event.kind == "removed", let address = event.address { marks[address] = nil }
        needsRound = true
    }

    /// Handles the end of the connection: no more replies arrive, and everything is requested again after a
    /// reconnection.
    mutating func didDisconnect() {
        isDisconnected = true
        if case .act? = outstanding {
            message = .failed("the daemon closed the connection before it replied; check whether the change was made")
        } else if !acts.isEmpty {
            message = .failed("the daemon closed the connection; nothing was changed")
        }
        (outstanding, queue, acts, roundBeganAt) = (nil, [], [], nil)
    }

    /// Ends the change whose reply has arrived. The page is read at once, and the status with the next round.
    @discardableResult
    private mutating func finishAct() -> TopAct? {
        guard case .act(let act)? = outstanding else { return nil }
        (outstanding, queue, needsRound) = (nil, roundRequests, true)
        return act
    }

    private mutating func updateCard(of address: String, _ change: (inout TopCard) -> Void) {
        guard case .card(var card) = page, card.address == address else { return }
        change(&card)
        page = .card(card)
    }

    private mutating func updateMark(of entry: Interface.Entry) {
        if marks[entry.address] != nil { marks[entry.address] = entry.pinned }
    }

    /// Moves the selection to its address after a change to the list or the screen.
    private mutating func followSelection() {
        let rows = layout.list
        let isComplete = queue.isEmpty && list.missing(of: visibleChunks) == nil
        selection.follow(list, rows: rows, isComplete: isComplete)
    }

    /// Shows the entries that match a filter, from the first one.
    mutating func show(_ filter: ListWindow.Filter) {
        (list, selection) = (ListWindow(filter: filter), ListSelection())
    }
}
