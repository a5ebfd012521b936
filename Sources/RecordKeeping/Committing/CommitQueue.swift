import DequeModule

/// The commit queue: at most one commit in progress, and the work for the next commits.
///
/// Work that arrives during a commit is added to the next one, so that many replies share one write and all work keeps
/// its order. Lines from the lists come last, so that replies, clients' changes and reservations do not wait for them.
struct CommitQueue: Sendable {
    /// The stage of the commit in progress. Each stage except `writing` may take several turns.
    private enum Stage: Sendable {
        case idle
        /// Work is being added to the commit. `submit` or `conclude` ends this stage.
        case preparing(PendingCommit)
        /// The store is writing the commit. `committed` or `failed` ends this stage.
        case writing(PendingCommit)
        /// The commit is on disk, or needs no write, and is being applied and published.
        case concluding(PendingCommit)
    }

    private(set) var queue: Deque<PendingChange> = []
    /// Pending reloads, at most two: the first one is applied, and the newest of the others waits.
    private(set) var readings: Deque<PendingReading> = []
    /// Whether the last commit contained no part of the pending reload. The next commit then begins with a portion of
    /// that reload, so that changes that fill every commit do not delay it forever.
    private(set) var isReadingOverdue = false
    private var stage = Stage.idle
    /// The `seq` of the last event that is on disk and published.
    private(set) var lastSeq: Int64 = 0
    /// The id of the last stored entry.
    private(set) var lastEntry = EntryID(number: 0)
    private var lastCommit: Int64 = 0
    private var lastReading = 0
    /// The failure of the last commit; nil if it succeeded.
    private(set) var failure: CommitFailure?
    private(set) var queuedRequests = 0
    private var queuedWatchEnds = 0

    /// A person usually has to free space on a full disk, so one attempt a minute is enough.
    private static let backoff = Backoff(cap: .seconds(60))

    /// Whether the last commit failed. If so, no calls are made, because their records could not be stored.
    var isFailing: Bool { failure != nil }
    /// The earliest time of the next commit after a failure. A client's change causes an attempt before that time.
    var retryAt: BootTime? { failure?.retryAt }
    var isIdle: Bool { queue.isEmpty && readings.isEmpty && hasNoCommit }

    /// Whether the removals of ended watches are queued.
    var hasWatchEnds: Bool { queuedWatchEnds > 0 }

    /// Whether no commit is being prepared, written or applied.
    var hasNoCommit: Bool {
        if case .idle = stage { true } else { false }
    }

    /// Whether the commit waits for the rest of a change that takes more than one turn.
    var isPreparing: Bool {
        if case .preparing = stage { true } else { false }
    }

    /// The cohorts that the commit in progress holds.
    var heldCohorts: [UInt32] {
        switch stage {
        case .idle: []
        case .preparing(let pending), .writing(let pending), .concluding(let pending): pending.heldCohorts
        }
    }

    /// Queues work. If a failing disk makes the queue longer than `Limits.waitingEvents`, a new event replaces the pair
    /// of events that `forgetAnEpisode` removes.
    mutating func add(_ change: PendingChange) {
        if change.isAwaited { queuedRequests += 1 }
        if change.isWatchEnd { queuedWatchEnds += 1 }
        if isFailing, queue.count > Limits.waitingEvents, case .publish = change { forgetAnEpisode() }
        queue.append(change)
    }

    /// Removes the oldest two events that report the beginning and the end of the same loss or failure and are both in
    /// the journal.
    private mutating func forgetAnEpisode() {
        var begun: (index: Int, kind: PublishedEvent.Kind)?
        for index in queue.indices {
            guard case .publish(let kind, _, _, announced: true) = queue[index] else { continue }
            if let begun, kind == begun.kind.end {
                queue.remove(at: index)
                queue.remove(at: begun.index)
                return
            }
            begun = kind.end == nil ? nil : (index, kind)
        }
    }

    /// Removes and returns the next piece of work; nil if the queue is empty.
    mutating func next() -> PendingChange? {
        guard let change = queue.popFirst() else { return nil }
        if change.isAwaited { queuedRequests -= 1 }
        if change.isWatchEnd { queuedWatchEnds -= 1 }
        return change
    }

    /// Removes and returns the events about the route and the provider, in order, for a commit that saves the resulting
    /// state.
    mutating func nextHealthEvents() -> [PendingChange] {
        var events: [PendingChange] = []
        queue.removeAll { change in
            guard case .publish = change else { return false }
            events.append(change)
            return true
        }
        return events
    }

    // MARK: Commits

    /// Returns whether a commit may begin: no commit is in progress, there is work, and the backoff is over or a client
    /// is waiting.
    func mayBegin(at now: BootTime) -> Bool {
        guard hasNoCommit, !queue.isEmpty || !readings.isEmpty else { return false }
        return queuedRequests > 0 || readings.contains { !$0.requests.isEmpty } || retryAt.map { $0 <= now } ?? true
    }

    /// Returns whether another turn can continue the commit or begin the next one.
    func needsTurn(at now: BootTime) -> Bool {
        switch stage {
        case .idle: mayBegin(at: now)
        case .preparing, .concluding: true
        case .writing: false
        }
    }

    /// Returns an empty commit with the next id.
    mutating func begin() -> PendingCommit {
        lastCommit += 1
        return PendingCommit(id: Commit.ID(number: lastCommit), lastSeq: lastSeq, lastEntry: lastEntry.number)
    }

    /// Takes the commit that is being prepared out of the queue, so that it can be changed in place; `keepPreparing`,
    /// `submit` or `conclude` puts it back. Returns nil if no commit is being prepared.
    mutating func detachPreparing() -> PendingCommit? {
        guard case .preparing(let pending) = stage else { return nil }
        stage = .idle
        return pending
    }

    mutating func keepPreparing(_ pending: PendingCommit) {
        stage = .preparing(pending)
    }

    mutating func submit(_ pending: PendingCommit) {
        stage = .writing(pending)
    }

    /// Records that a commit is on disk.
    ///
    /// - Returns: false if `id` is not the commit that is being written.
    mutating func committed(_ id: Commit.ID) -> Bool {
        guard case .writing(let pending) = stage, pending.id == id else { return false }
        stage = .concluding(pending)
        lastEntry = EntryID(number: pending.lastEntry)
        failure = nil
        return true
    }

    /// Starts or continues applying a commit that is on disk or needs no write.
    mutating func conclude(_ pending: PendingCommit) {
        stage = .concluding(pending)
    }

    /// Takes the commit that is being applied out of the queue; `conclude` puts it back if a part of it has yet to be
    /// applied. Returns nil if no commit is being applied.
    mutating func detachConcluding() -> PendingCommit? {
        guard case .concluding(let pending) = stage else { return nil }
        stage = .idle
        return pending
    }

    /// Records that entries up to this id have been stored, in this run or an earlier one.
    mutating func stored(through id: EntryID) {
        lastEntry = id
    }

    /// Records that all events up to this `seq` are on disk and have been published, in this run or an earlier one.
    mutating func published(through seq: Int64) {
        lastSeq = seq
    }

    /// Removes the changes that clients wait for. While the disk is failing, retried work precedes these changes and
    /// may fill every commit, so they might never be attempted.
    ///
    /// - Returns: the ids of their requests, in order.
    mutating func dismissRequests() -> [Request.ID] {
        guard queuedRequests > 0 else { return [] }
        var dismissed: [Request.ID] = []
        queue.removeAll { change in
            guard case .request(let request, _) = change else { return false }
            dismissed.append(request.id)
            return true
        }
        queuedRequests = 0
        return dismissed
    }

    /// Records that a commit failed and that none of it is on disk. Work that no client waits for returns to the front
    /// of the queue, except the results of resolutions. Those are removed from the queue, because they may be outdated
    /// when the disk works again.
    ///
    /// - Returns: the failed commit; nil if `id` is not the commit that is being written.
    mutating func failed(_ id: Commit.ID, _ reason: String, at now: Instant, random: inout Random) -> PendingCommit? {
        guard case .writing(let pending) = stage, pending.id == id else { return nil }
        stage = .idle
        let attempts = (failure?.attempts ?? 0) + 1
        let delay = Self.backoff.delay(afterAttempts: attempts, random: &random)
        failure = CommitFailure(reason: reason, at: now, attempts: attempts, retryAt: now.boot + delay)
        let again = pending.changes.compactMap(\.again)
        queue.removeAll(where: \.isNameResult)
        queue.prepend(contentsOf: again)
        queuedWatchEnds += again.count(where: \.isWatchEnd)
        return pending
    }

    /// Marks the queued events whose alerts are not in the journal yet as announced.
    ///
    /// - Returns: these events, in order.
    mutating func announceEvents() -> [PublishedEvent] {
        var events: [PublishedEvent] = []
        for index in queue.indices {
            guard case .publish(let kind, let at, let message, announced: false) = queue[index] else { continue }
            queue[index] = .publish(kind, at: at, message: message, announced: true)
            events.append(PublishedEvent(seq: nil, at: at, kind: kind, message: message))
        }
        return events
    }

    // MARK: Reloads

    /// Queues a reload. The new reload replaces any reload that waits behind the first one, and answers the requests of
    /// the replaced reload.
    mutating func add(_ reading: ListReading) {
        lastReading += 1
        var pending = PendingReading(reading, id: lastReading)
        // Each reload contains the complete lists at that time, so only the newest one is needed.
        if readings.count > 1, let replaced = readings.popLast() { pending.replace(replaced) }
        readings.append(pending)
    }

    /// Records whether a completely prepared commit contains a part of the pending reload.
    mutating func noteReading(of pending: PendingCommit) {
        isReadingOverdue = pending.reading == nil && !readings.isEmpty
    }

    /// Removes the first reload, which was refused.
    mutating func dropFirstReading() {
        readings.removeFirst()
    }

    /// Records the progress of the first reload, after a commit with a part of it is on disk.
    mutating func advance(to reading: PendingReading) {
        guard readings.first?.id == reading.id else { return }
        if reading.step == .done { readings.removeFirst() } else { readings[0] = reading }
    }

    /// Removes the requests from the pending reloads while the disk is failing; the reloads continue.
    ///
    /// - Returns: the ids of these requests.
    mutating func dismissReadings() -> [Request.ID] {
        let dismissed = readings.flatMap(\.requests)
        for index in readings.indices { readings[index].requests = [] }
        return dismissed
    }

    /// Drops the lines that are not in a commit; they are read again at the next startup.
    ///
    /// - Returns: the ids of the requests that waited for a reload, except those whose reply is in the commit.
    mutating func dropReadings() -> [Request.ID] {
        let answered: [Request.ID] =
            switch stage {
            case .idle: []
            case .preparing(let pending), .writing(let pending), .concluding(let pending):
                pending.reading.map { $0.step == .done ? $0.requests : [] } ?? []
            }
        defer { readings = [] }
        return readings.flatMap(\.requests).filter { !answered.contains($0) }
    }
}

extension PublishedEvent.Kind {
    /// The event that ends the loss or failure that this event begins; nil if it begins neither.
    fileprivate var end: PublishedEvent.Kind? {
        switch self {
        case .networkLost: .networkRestored
        case .providerFailed, .throttled: .providerRecovered
        case .added, .removed, .refreshed, .changed, .failed, .recovered, .networkRestored, .providerRecovered,
            .nameAdded, .nameRemoved, .addressAdded, .addressRemoved, .nameFailed, .nameRecovered:
            nil
        }
    }
}
