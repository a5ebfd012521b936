import DequeModule

/// The way to the disk: one commit at a time, and what waits for the next.
///
/// While a commit is under way everything else gathers, so that the next takes it all along: one write for many replies,
/// and one order for everything. Lines of lists come last, so that replies, clients' changes and reservations do not wait
/// for them.
struct Ledger: Sendable {
    /// The stage of the only commit; each stage except `writing` may take several turns.
    private enum Stage: Sendable {
        case idle
        /// Work is being put into the draft. Left by `submit` and `conclude`.
        case drafting(Draft)
        /// The store is writing the draft. Left by `committed` and `failed`.
        case writing(Draft)
        /// The draft is on disk, or changes nothing there, and is being applied and published.
        case concluding(Draft)
    }

    private(set) var queue: Deque<Work> = []
    /// Readings of the lists, at most two: the first one is being applied, and the newest of the others waits.
    private(set) var readings: Deque<PendingReading> = []
    /// Whether the last draft had no part of the reading that waits. The next draft begins with a portion of it, so that
    /// changes that fill one commit after the other do not hold it up.
    private(set) var isReadingOverdue = false
    private var stage = Stage.idle
    /// The seq of the last kept notice that is on disk and published.
    private(set) var lastSeq: Int64 = 0
    private var lastCommit: Int64 = 0
    private var lastReading = 0
    /// Commits in a row that failed.
    private(set) var failures = 0
    /// No commit before this, unless a client asks for a change: its request is the next try.
    private(set) var retryAt: BootTime?
    private(set) var queuedRequests = 0

    /// A full disk is emptied by people: looking once a minute is enough.
    private static let backoff = Backoff(cap: .seconds(60))

    /// The last commit failed. Nothing new is asked of the provider, for it could not be kept.
    var isFailing: Bool { failures > 0 }
    var isIdle: Bool { queue.isEmpty && readings.isEmpty && hasNoCommit }

    /// No commit is being drafted, written or applied.
    var hasNoCommit: Bool {
        if case .idle = stage { true } else { false }
    }

    /// A draft waits for the rest of a change that takes more than a turn.
    var isDrafting: Bool {
        if case .drafting = stage { true } else { false }
    }

    mutating func add(_ work: Work) {
        if work.isAwaited { queuedRequests += 1 }
        if isFailing, queue.count > Limits.waitingNotices, case .tell = work { forgetAnEpisode() }
        queue.append(work)
    }

    /// Forgets the oldest trouble that is over, of those that the journal has been told.
    private mutating func forgetAnEpisode() {
        var begun: (index: Int, kind: Notice.Kind)?
        for index in queue.indices {
            guard case .tell(let kind, _, _, announced: true) = queue[index] else { continue }
            if let begun, kind == begun.kind.end {
                queue.remove(at: index)
                queue.remove(at: begun.index)
                return
            }
            begun = kind.end == nil ? nil : (index, kind)
        }
    }

    mutating func next() -> Work? {
        guard let work = queue.popFirst() else { return nil }
        if work.isAwaited { queuedRequests -= 1 }
        return work
    }

    /// Removes and returns the events about the route and the provider, in order, for a draft that saves the resulting
    /// state.
    mutating func nextHealthEvents() -> [Work] {
        var events: [Work] = []
        queue.removeAll { work in
            guard case .tell = work else { return false }
            events.append(work)
            return true
        }
        return events
    }

    // MARK: Commits

    /// A commit may begin: none is under way, something waits, and after a failure it is time again.
    func mayBegin(at now: BootTime) -> Bool {
        guard hasNoCommit, !queue.isEmpty || !readings.isEmpty else { return false }
        return queuedRequests > 0 || readings.contains { !$0.requests.isEmpty } || retryAt.map { $0 <= now } ?? true
    }

    /// Whether another turn can continue the commit or begin the next one.
    func needsTurn(at now: BootTime) -> Bool {
        switch stage {
        case .idle: mayBegin(at: now)
        case .drafting, .concluding: true
        case .writing: false
        }
    }

    mutating func begin() -> Draft {
        lastCommit += 1
        return Draft(id: Commit.ID(number: lastCommit), lastSeq: lastSeq)
    }

    /// Moves the current draft out, so that it changes in place; `keepDrafting`, `submit` or `conclude` puts it back.
    mutating func detachDrafting() -> Draft? {
        guard case .drafting(let draft) = stage else { return nil }
        stage = .idle
        return draft
    }

    mutating func keepDrafting(_ draft: Draft) {
        stage = .drafting(draft)
    }

    mutating func submit(_ draft: Draft) {
        stage = .writing(draft)
    }

    /// - Returns: whether `id` is the commit under way, which is on disk now.
    mutating func committed(_ id: Commit.ID) -> Bool {
        guard case .writing(let draft) = stage, draft.id == id else { return false }
        stage = .concluding(draft)
        failures = 0
        retryAt = nil
        return true
    }

    /// Begins to apply a draft that is on disk or changes nothing there.
    mutating func conclude(_ draft: Draft) {
        stage = .concluding(draft)
    }

    /// Moves the draft that is being applied out; `conclude` puts it back unless all of it is applied.
    mutating func detachConcluding() -> Draft? {
        guard case .concluding(let draft) = stage else { return nil }
        stage = .idle
        return draft
    }

    /// Records that listeners have been sent everything up to this seq.
    mutating func published(through seq: Int64) {
        lastSeq = seq
    }

    /// Removes the changes that clients wait for. While the disk fails, work that is retried before them may fill every
    /// commit, so that none of them would ever be tried.
    ///
    /// - Returns: the ids of their requests, in order.
    mutating func dismissRequests() -> [Request.ID] {
        guard queuedRequests > 0 else { return [] }
        var dismissed: [Request.ID] = []
        queue.removeAll { work in
            guard case .request(let request) = work else { return false }
            dismissed.append(request.id)
            return true
        }
        queuedRequests = 0
        return dismissed
    }

    /// Nothing of the draft is on disk; what no client waits for goes back to the front of the queue.
    ///
    /// - Returns: the draft; nil for any but the one under way.
    mutating func failed(_ id: Commit.ID, at now: BootTime, random: inout Random) -> Draft? {
        guard case .writing(let draft) = stage, draft.id == id else { return nil }
        stage = .idle
        failures += 1
        retryAt = now + Self.backoff.delay(afterAttempts: failures, random: &random)
        queue.prepend(contentsOf: draft.works.compactMap(\.again))
        return draft
    }

    mutating func restore(lastSeq: Int64) {
        self.lastSeq = lastSeq
    }

    // MARK: Readings of the lists

    mutating func add(_ reading: ListReading) {
        lastReading += 1
        var pending = PendingReading(reading, id: lastReading)
        // Each reading has the lists as they were at its time, so the newest is enough.
        if readings.count > 1, let replaced = readings.popLast() { pending.replace(replaced) }
        readings.append(pending)
    }

    /// Records whether a draft that is complete has a part of the reading that waits.
    mutating func noteReading(of draft: Draft) {
        isReadingOverdue = draft.reading == nil && !readings.isEmpty
    }

    /// Removes the first reading, which is refused.
    mutating func dropFirstReading() {
        readings.removeFirst()
    }

    /// Records the progress of the first reading, once a draft with a part of it is on disk.
    mutating func advance(to reading: PendingReading) {
        guard readings.first?.id == reading.id else { return }
        if reading.step == .done { readings.removeFirst() } else { readings[0] = reading }
    }

    /// Releases the requests that wait for readings while the disk fails; the readings continue.
    ///
    /// - Returns: the ids of the requests that waited.
    mutating func dismissReadings() -> [Request.ID] {
        let dismissed = readings.flatMap(\.requests)
        for index in readings.indices { readings[index].requests = [] }
        return dismissed
    }

    /// Drops the lines that are not in a draft; the next start reads them again.
    ///
    /// - Returns: the ids of the requests that waited for a reading, except those whose reply is in the draft.
    mutating func dropReadings() -> [Request.ID] {
        let answered: [Request.ID] =
            switch stage {
            case .idle: []
            case .drafting(let draft), .writing(let draft), .concluding(let draft):
                draft.reading.map { $0.step == .done ? $0.requests : [] } ?? []
            }
        defer { readings = [] }
        return readings.flatMap(\.requests).filter { !answered.contains($0) }
    }
}

extension Work {
    /// A client waits for it.
    fileprivate var isAwaited: Bool {
        switch self {
        case .request: true
        case .reply, .addressFailed, .forget, .tell, .saveHealth: false
        }
    }

    /// What is tried again after a commit of it failed: all but what a client was told about.
    fileprivate var again: Work? {
        switch self {
        case .request: nil
        case .tell(let kind, let at, let message, announced: _): .tell(kind, at: at, message: message, announced: true)
        case .reply, .addressFailed, .forget, .saveHealth: self
        }
    }
}

extension Notice.Kind {
    /// The event by which the trouble is over that this one begins; nil for one that begins none.
    fileprivate var end: Notice.Kind? {
        switch self {
        case .networkLost: .networkRestored
        case .providerFailed, .throttled: .providerRecovered
        case .added, .removed, .refreshed, .changed, .failed, .recovered, .networkRestored, .providerRecovered: nil
        }
    }
}
