import DequeModule

/// The way to the disk: one commit at a time, and what waits for the next.
///
/// While a commit is under way everything else gathers, so that the next takes it all along: one write for many replies,
/// and one order for everything.
struct Ledger: Sendable {
    private(set) var queue: Deque<Work> = []
    /// The commit that the store is writing.
    private(set) var underWay: Draft?
    /// The seq of the last kept notice that is on disk.
    private(set) var lastSeq: Int64 = 0
    private var lastCommit: Int64 = 0
    /// Commits in a row that failed.
    private(set) var failures = 0
    /// No commit before this, unless a client asks for a change: its request is the next try.
    private(set) var retryAt: BootTime?
    private(set) var queuedRequests = 0

    /// Work that one commit takes at most, in writes: more would make everybody wait for it.
    static let writesPerCommit = 20_000
    /// A full disk is emptied by people: looking once a minute is enough.
    private static let backoff = Backoff(cap: .seconds(60))

    /// The last commit failed. Nothing new is asked of the provider, for it could not be kept.
    var isFailing: Bool { failures > 0 }
    var isIdle: Bool { queue.isEmpty && underWay == nil }

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

    /// The rest of a work that is too much for one commit, before all else that waits.
    mutating func goOn(with work: Work) {
        queue.prepend(work)
    }

    mutating func next() -> Work? {
        guard let work = queue.popFirst() else { return nil }
        if work.isAwaited { queuedRequests -= 1 }
        return work
    }

    /// A commit may begin: none is under way, something waits, and after a failure it is time again.
    func mayBegin(at now: BootTime) -> Bool {
        guard underWay == nil, !queue.isEmpty else { return false }
        return queuedRequests > 0 || retryAt.map { $0 <= now } ?? true
    }

    mutating func begin() -> Draft {
        lastCommit += 1
        return Draft(id: Commit.ID(number: lastCommit), lastSeq: lastSeq)
    }

    mutating func submit(_ draft: Draft) {
        underWay = draft
    }

    /// - Returns: the draft that is now on disk; nil for any but the one under way.
    mutating func committed(_ id: Commit.ID) -> Draft? {
        guard let draft = underWay, draft.id == id else { return nil }
        underWay = nil
        failures = 0
        retryAt = nil
        lastSeq = draft.lastSeq
        return draft
    }

    /// Nothing of the draft is on disk; what no client waits for goes back to the front of the queue.
    ///
    /// - Returns: the draft; nil for any but the one under way.
    mutating func failed(_ id: Commit.ID, at now: BootTime, random: inout Random) -> Draft? {
        guard let draft = underWay, draft.id == id else { return nil }
        underWay = nil
        failures += 1
        retryAt = now + Self.backoff.delay(afterAttempts: failures, random: &random)
        queue.prepend(contentsOf: draft.works.compactMap(\.again))
        return draft
    }

    /// Nobody is kept waiting for the end of a reading of the lists while the disk takes nothing; the reading goes on.
    ///
    /// - Returns: who waited for it.
    mutating func dismissReadings() -> [Request.ID] {
        var dismissed: [Request.ID] = []
        for index in queue.indices {
            guard case .listsTaken(let request?, let reading, let problems) = queue[index] else { continue }
            queue[index] = .listsTaken(nil, reading: reading, problems: problems)
            queuedRequests -= 1
            dismissed.append(request)
        }
        return dismissed
    }

    mutating func restore(lastSeq: Int64) {
        self.lastSeq = lastSeq
    }
}

extension Work {
    /// A client waits for it.
    fileprivate var isAwaited: Bool {
        switch self {
        case .request: true
        case .listsTaken(let request, _, _): request != nil
        case .reply, .addressFailed, .forget, .listed, .onlyListed, .tell, .saveHealth: false
        }
    }

    /// What is tried again after a commit of it failed: all but what a client was told about.
    fileprivate var again: Work? {
        switch self {
        case .request: nil
        // Whoever asked has been told that it failed.
        case .listsTaken(_, let reading, let problems): .listsTaken(nil, reading: reading, problems: problems)
        case .tell(let kind, let at, let message, announced: _): .tell(kind, at: at, message: message, announced: true)
        case .reply, .addressFailed, .forget, .listed, .onlyListed, .saveHealth: self
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
