import Testing

@testable import RecordKeeping

/// A keeper with a clock that the test advances. Each call passes an event to the keeper, and returns all effects.
final class KeeperHarness {
    private(set) var keeper: Keeper
    private(set) var now: Instant
    private(set) var log: [Effect] = []
    /// The commit that waits for its `.committed`.
    private(set) var commit: Commit?
    /// The time at which the timer fires; nil if it is not armed.
    private(set) var armed: BootTime?
    private var requests: UInt64 = 0
    /// Whether each commit succeeds at once, as in a store without failures, or waits for `write()` or `failToWrite()`.
    var disk = Disk.writesAtOnce

    enum Disk { case writesAtOnce, waits }

    /// Whether each requested turn begins at once, as in a daemon without other work.
    var beginsTurns = true
    /// Whether a turn was requested and has not begun.
    private(set) var wantsTurn = false
    /// Number of handled events.
    private var events = 0

    static let start = Instant(
        boot: BootTime(nanoseconds: 1_000_000_000_000), wall: WallTime(milliseconds: 1_800_000_000_000))

    init(
        settings: Settings = .unlimitedProvider, entries: [SavedEntry] = [], restored: Restored = Restored(),
        status: RouteStatus? = .open,
        isResolved: Bool = true, at start: Instant = KeeperHarness.start, changesPerTurn: Int = Limits.changesPerTurn
    ) {
        now = start
        keeper = Keeper(settings: settings, seed: 7, startedAt: start, changesPerTurn: changesPerTurn)
        handle(.restoring(entries, of: entries.count))
        handle(.restored(restored))
        if isResolved { handle(.resolved([])) }
        if let status { answerRouteCheck(status) }
    }

    @discardableResult
    func handle(_ event: Event) -> [Effect] {
        var effects = apply(event)
        while let event = nextEvent() { effects += apply(event) }
        return effects
    }

    private func apply(_ event: Event) -> [Effect] {
        let effects = keeper.handle(event, at: now)
        note(effects)
        // A check reads every entry, so tests with many entries check only one event in so many.
        events += 1
        if events.isMultiple(of: 1 + keeper.footprint.entries / 1_000) {
            for broken in keeper.checkInvariants() { Issue.record("after \(event): \(broken)") }
        }
        return effects
    }

    /// The event that follows immediately from the keeper's effects; nil if there is none.
    private func nextEvent() -> Event? {
        if disk == .writesAtOnce, let commit {
            self.commit = nil
            return .committed(commit.id)
        }
        guard beginsTurns, wantsTurn else { return nil }
        wantsTurn = false
        return .turnBegan
    }

    /// Begins the requested turn.
    @discardableResult
    func beginTurn() -> [Effect] {
        guard wantsTurn else { return [] }
        wantsTurn = false
        return handle(.turnBegan)
    }

    private func note(_ effects: [Effect]) {
        log += effects
        for effect in effects {
            switch effect {
            case .commit(let commit):
                precondition(self.commit == nil, "one commit at a time")
                self.commit = commit
            case .arm(let deadline):
                armed = deadline
            case .scheduleTurn:
                precondition(!wantsTurn, "one turn at a time")
                wantsTurn = true
            default:
                continue
            }
        }
    }

    /// Completes the pending commit.
    @discardableResult
    func write() -> [Effect] {
        guard let commit else { return [] }
        self.commit = nil
        return handle(.committed(commit.id))
    }

    /// Fails the pending commit.
    @discardableResult
    func failToWrite(_ reason: String = "disk full") -> [Effect] {
        guard let commit else { return [] }
        self.commit = nil
        return handle(.commitFailed(commit.id, reason))
    }

    /// Advances both clocks, and fires the timer each time it is due.
    @discardableResult
    func pass(_ duration: Duration) -> [Effect] {
        let end = now.advanced(by: duration)
        var effects: [Effect] = []
        while let next = armed, next <= end.boot {
            now = now.advanced(by: max(.zero, next - now.boot))
            armed = nil
            effects += handle(.deadlineReached)
        }
        now = now.advanced(by: end.boot - now.boot)
        return effects
    }

    func stepWallClock(by duration: Duration) {
        now.wall = now.wall + duration
    }

    @discardableResult
    func ask(_ body: Request.Body, asAdministrator: Bool = true, peer: UInt64 = 1) -> (Request.ID, [Effect]) {
        requests += 1
        let id = Request.ID(peer: PeerID(number: peer), number: requests)
        return (id, handle(.requested(Request(id: id, isByAdministrator: asAdministrator, body: body))))
    }

    @discardableResult
    func add(_ addresses: [IPAddress]) -> [Effect] {
        ask(.add(addresses, tags: [], note: nil)).1
    }

    /// Returns the entry of an address, as `Show` replies without waiting.
    func show(_ address: IPAddress) -> EntryView? {
        let (id, effects) = ask(.show([address], wait: .zero))
        guard case .entries(let views)? = effects.answer(to: id) else { return nil }
        return views.first
    }

    @discardableResult
    func answerRouteCheck(_ status: RouteStatus) -> [Effect] {
        handle(.routeChecked(epoch: keeper.connectivity.epoch, status))
    }

    /// Sends a reply to a call, with the same record for each of its addresses.
    @discardableResult
    func reply(
        to call: Call, _ record: Record = .example, quota: ReportedQuota = ReportedQuota(remaining: nil, resetsIn: nil)
    ) -> [Effect] {
        let answers = call.addresses.map { ($0, ElementAnswer.answered(.record(record))) }
        return handle(
            .replied(call.id, Reply(sentAt: now, answers: Dictionary(uniqueKeysWithValues: answers), quota: quota)))
    }

    @discardableResult
    func fail(
        _ call: Call, _ kind: Failure.Kind, message: String = "it went wrong", quota: ReportedQuota? = nil
    ) -> [Effect] {
        handle(.callFailed(call.id, CallFailure(kind: kind, message: message, quota: quota)))
    }
}

extension Settings {
    /// A provider without documented limits.
    static let unlimitedProvider = Settings(providerName: "stand-in", documentedLimits: [:])
}

extension Record {
    static var example: Record {
        var record = Record()
        record.country = "Germany"
        record.city = "Berlin"
        record.as = "AS3320 Deutsche Telekom AG"
        return record
    }
}

extension [Effect] {
    var calls: [Call] {
        compactMap { if case .call(let call) = $0 { call } else { nil } }
    }

    var commits: [Commit] {
        compactMap { if case .commit(let commit) = $0 { commit } else { nil } }
    }

    /// The events that are logged in the journal.
    var announced: [PublishedEvent] {
        compactMap { if case .announce(let event) = $0 { event } else { nil } }
    }

    func answer(to id: Request.ID) -> Response? {
        for case .answer(id, let response) in self { return response }
        return nil
    }

    /// The events that are published to a listener.
    func reported(to id: Request.ID) -> [PublishedEvent] {
        compactMap {
            if case .publish(let event, _, to: let requests) = $0, requests.contains(id) { event } else { nil }
        }
    }
}

/// Successive public addresses: 1.0.0.0, 1.0.0.1, …
func addresses(_ count: Int, from first: UInt32 = 0x0100_0000) -> [IPAddress] {
    (0..<UInt32(count)).map { IPAddress(v4: first + $0) }
}
