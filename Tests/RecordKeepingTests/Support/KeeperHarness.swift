import Testing

@testable import RecordKeeping

/// A keeper with a clock that the test advances. Each call passes an event to the keeper, and returns all effects.
///
/// A test states the effects of each event with `expect`, before the next event:
///
///     let harness = KeeperHarness()
///     let id = harness.ask(.remove([one])).0
///     harness.expect(.answer(id, .refused(.notWatched(one))))
///
/// Any other effect fails the test, unless its kind is ignored.
final class KeeperHarness {
    private(set) var keeper: Keeper
    private(set) var now: Instant
    private(set) var log: [Effect] = []
    /// The effects that the test has neither expected nor ignored.
    private var unexpected: [EffectOutline] = []
    /// The kinds of effects that the test need not expect.
    private let ignored: Set<EffectKind>
    /// Returns the text of the event whose effects are `unexpected`.
    private var lastEvent: () -> String = { "the start" }
    /// The place in the test at which the harness was created.
    private let sourceLocation: SourceLocation
    /// Whether the events belong to one step of the test, so that their effects are expected together.
    private var isWithinStep = true
    /// The commit that waits for its `.committed`.
    private(set) var commit: Commit?
    /// The time at which the timer fires; nil if it is not armed.
    private(set) var armed: BootTime?
    private var requests: UInt64 = 0
    /// Whether each commit succeeds at once, as in a store without failures, or waits for `write()` or `failToWrite()`.
    var disk = Disk.writesAtOnce

    enum Disk { case writesAtOnce, waits }

    /// Whether each resolution of the provider's name ends at once, without a change of its addresses, or waits for an
    /// event of the test.
    var resolver = Resolver.answersAtOnce

    enum Resolver { case answersAtOnce, waits }

    /// Whether a resolution is in progress.
    private var isResolving = false

    /// Whether each requested turn begins at once, as in a daemon without other work.
    var beginsTurns = true
    /// Whether a turn was requested and has not begun.
    private(set) var wantsTurn = false
    /// Number of handled events.
    private var events = 0

    static let start = Instant(
        boot: BootTime(nanoseconds: 1_000_000_000_000), wall: WallTime(milliseconds: 1_800_000_000_000))

    /// Starts the keeper, whose effects until then are not compared.
    init(
        ignoring ignored: Set<EffectKind> = [], settings: Settings = .unlimitedProvider, entries: [SavedEntry] = [],
        restored: Restored = Restored(),
        status: RouteStatus? = .open,
        isResolved: Bool = true, at start: Instant = KeeperHarness.start, changesPerTurn: Int = Limits.changesPerTurn,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.ignored = ignored
        self.sourceLocation = sourceLocation
        now = start
        keeper = Keeper(settings: settings, seed: 7, startedAt: start, changesPerTurn: changesPerTurn)
        if !isResolved { resolver = .waits }
        handle(.restoring(entries, of: entries.count))
        handle(.restored(restored.following(entries)))
        if let status { answerRouteCheck(status) }
        unexpected = []
        isWithinStep = false
    }

    deinit { failIfUnexpected() }

    /// Compares the effects since the last expectation with these, in order.
    func expect(_ expected: EffectOutline..., sourceLocation: SourceLocation = #_sourceLocation) {
        expect(expected, sourceLocation: sourceLocation)
    }

    /// Compares the effects since the last expectation with these, in order.
    func expect(_ expected: [EffectOutline], sourceLocation: SourceLocation = #_sourceLocation) {
        defer { unexpected = [] }
        guard unexpected != expected.filter({ !ignored.contains($0.kind) }) else { return }
        Issue.record(
            "effects of \(lastEvent()):\n\(Self.lines(unexpected))\nexpected:\n\(Self.lines(expected))",
            sourceLocation: sourceLocation)
    }

    /// Withdraws the effects of the last event that a helper has evaluated.
    func consume(where isEvaluated: (EffectOutline) -> Bool) {
        unexpected.removeAll(where: isEvaluated)
    }

    /// Discards the effects of the last event, which only prepared the test.
    func discardEffects() {
        unexpected = []
    }

    private func failIfUnexpected() {
        guard !unexpected.isEmpty else { return }
        Issue.record(
            "unexpected effects of \(lastEvent()):\n\(Self.lines(unexpected))", sourceLocation: sourceLocation)
        unexpected = []
    }

    private static func lines(_ outlines: [EffectOutline]) -> String {
        outlines.map { "  \($0)" }.joined(separator: "\n")
    }

    /// Runs the events of one step of the test, after comparing the effects of the previous step.
    private func step(_ event: @autoclosure @escaping () -> String, _ body: () -> [Effect]) -> [Effect] {
        guard !isWithinStep else { return body() }
        failIfUnexpected()
        lastEvent = event
        isWithinStep = true
        defer { isWithinStep = false }
        return body()
    }

    @discardableResult
    func handle(_ event: Event) -> [Effect] {
        step("\(event)") { apply(event) + applyFollowing() }
    }

    /// Handles the events that follow immediately.
    private func applyFollowing() -> [Effect] {
        var effects: [Effect] = []
        while let event = nextEvent() { effects += apply(event) }
        return effects
    }

    private func apply(_ event: Event) -> [Effect] {
        let effects = keeper.handle(event, at: now)
        note(effects)
        // A check reads every entry. The more entries a test has, the fewer events are followed by the check.
        events += 1
        if events.isMultiple(of: 1 + keeper.footprint.entries / 100) {
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
        if resolver == .answersAtOnce, isResolving {
            isResolving = false
            return .resolved([])
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

    /// Begins turns until the keeper requests no more, in one step of the test.
    ///
    /// - Returns: the effects of each turn.
    @discardableResult
    func finishTurns() -> [[Effect]] {
        var turns: [[Effect]] = []
        _ = step("the turns") {
            while wantsTurn { turns.append(beginTurn()) }
            return []
        }
        return turns
    }

    private func note(_ effects: [Effect]) {
        log += effects
        for effect in effects {
            let outline = EffectOutline(effect, at: now)
            if !ignored.contains(outline.kind) { unexpected.append(outline) }
            switch effect {
            case .commit(let commit):
                precondition(self.commit == nil, "one commit at a time")
                self.commit = commit
            case .arm(let deadline):
                armed = deadline
            case .scheduleTurn:
                precondition(!wantsTurn, "one turn at a time")
                wantsTurn = true
            case .resolve:
                isResolving = true
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
        step("the passing of \(duration)") { fireTimers(until: now.advanced(by: duration)) }
    }

    private func fireTimers(until end: Instant) -> [Effect] {
        var effects: [Effect] = []
        while let next = armed, next <= end.boot {
            now = now.advanced(by: max(.zero, next - now.boot))
            armed = nil
            effects += handle(.deadlineReached)
        }
        now = now.advanced(by: end.boot - now.boot)
        return effects
    }

    /// Advances both clocks without firing the timer, as if the daemon did not run.
    func stall(_ duration: Duration) {
        now = now.advanced(by: duration)
    }

    func nextRequest(of peer: UInt64) -> Request.ID {
        requests += 1
        return Request.ID(peer: PeerID(number: peer), number: requests)
    }

    func stepWallClock(by duration: Duration) {
        now.wall = now.wall + duration
    }
}
