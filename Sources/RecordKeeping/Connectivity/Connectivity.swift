/// Whether there is a route to the provider, according to the kernel's routing tables.
///
///     unasked ──route───▶ open ◀──────────────────────── route ──┐
///        │                │  ▲                                  │
///        │       no route │  │ route                            │
///        │                ▼  │                                  │
///        │               doubted ──no route, or no answer──▶ lost
///        └──no route───────────────────────────────────────▶──┘
///
/// Until the provider's name has been resolved for the first time, global addresses are checked instead of the
/// provider's. A missing route to them is not a loss yet, because the provider may have a local address.
///
/// A missing route to the provider's addresses is not a loss yet either: the provider may have moved, so its name is
/// resolved again, and the route to its current addresses is checked.
///
/// The content of a route event is not interpreted; each event only causes a new check. Each check has an epoch, and
/// only the result of the latest check counts.
struct Connectivity: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The kernel has not given a conclusive answer yet; no calls are made.
        case unasked
        /// There is a route, or one is assumed because the kernel cannot be queried.
        case open(since: WallTime)
        /// There is no route to the provider's last known addresses, and its current ones have not been checked yet. No
        /// calls are made, but calls in flight are not cancelled. The state lasts for at most `Limits.maxDoubt`.
        case doubted(openSince: WallTime, reason: String, Doubt)
        /// There is no route.
        case lost(since: Instant, reason: String)
        /// The provider is local, so no route is needed, and none is checked. The state never changes.
        case unneeded(since: WallTime)
    }

    /// The event for which the state `doubted` waits.
    enum Doubt: Hashable, Sendable {
        /// The end of a resolution that began in this state.
        case awaitsResolution
        /// The result of a route check that began after the resolution.
        case awaitsCheck
    }

    /// The route check in progress, if any.
    enum Check: Hashable, Sendable {
        case none
        /// - Parameter followsRouteEvent: whether a route event caused this check or a check that it replaced.
        case inProgress(followsRouteEvent: Bool)
    }

    /// The state change that the result of a route check caused.
    enum Turn: Hashable, Sendable {
        case none
        case opened
        case doubted
        /// A route was found while its loss was in doubt.
        case confirmed
        case lost(reason: String)
        case restored(after: Duration)
    }

    private(set) var state = State.unasked
    private(set) var epoch = 0
    private(set) var check = Check.none
    /// Whether the provider's name has been resolved, successfully or not.
    private var isResolved = false
    /// The addresses to check: the provider's addresses, or one global address of each family until the provider's are
    /// known.
    private(set) var targets: [IPAddress] = Self.globalAddresses

    /// The addresses of a.root-servers.net, which have been stable for many years. They are only looked up in the
    /// routing tables; nothing is sent to them.
    private static let globalAddresses = [
        IPAddress(v4: 0xC629_0004), IPAddress(high: 0x2001_0503_BA3E_0000, low: 0x0000_0000_0002_0030),
    ]

    init() {}

    /// - Parameter start: when the daemon started.
    init(unneededSince start: WallTime) {
        state = .unneeded(since: start)
    }

    /// Whether the state of the route allows calls.
    var isOpen: Bool {
        switch state {
        case .open, .unneeded: true
        case .unasked, .doubted, .lost: false
        }
    }

    /// Whether calls need a route.
    var isNeeded: Bool {
        if case .unneeded = state { false } else { true }
    }

    var isDoubted: Bool {
        if case .doubted = state { true } else { false }
    }

    /// Whether the state may change soon: a route check is in progress, or a loss is in doubt.
    var isUndecided: Bool { check != .none || isDoubted }

    /// The loss to save; nil unless the route is lost.
    var loss: SavedLoss? {
        if case .lost(let since, let reason) = state { SavedLoss(since: since.wall, reason: reason) } else { nil }
    }

    /// Begins a route check.
    ///
    /// - Returns: the epoch of the check.
    mutating func ask(followsRouteEvent: Bool = false) -> Int {
        epoch += 1
        check = .inProgress(followsRouteEvent: followsRouteEvent || check == .inProgress(followsRouteEvent: true))
        return epoch
    }

    /// Applies the result of a route check, unless a later check has begun.
    mutating func answered(_ status: RouteStatus, epoch: Int, at now: Instant) -> Turn {
        guard epoch == self.epoch else { return .none }
        check = .none
        return switch status {
        case .open, .unknown: found(at: now)
        case .none(let reason): missed(reason, at: now)
        }
    }

    private mutating func found(at now: Instant) -> Turn {
        switch state {
        case .unasked:
            state = .open(since: now.wall)
            return .opened
        case .open, .unneeded:
            return .none
        case .doubted(let openSince, _, _):
            state = .open(since: openSince)
            return .confirmed
        case .lost(let since, _):
            state = .open(since: now.wall)
            return .restored(after: now.boot - since.boot)
        }
    }

    private mutating func missed(_ reason: String, at now: Instant) -> Turn {
        switch state {
        case .unasked where !isResolved, .unneeded:
            return .none
        case .open(let since):
            state = .doubted(openSince: since, reason: reason, .awaitsResolution)
            return .doubted
        case .doubted(let openSince, _, .awaitsResolution):
            state = .doubted(openSince: openSince, reason: reason, .awaitsResolution)
            return .none
        case .unasked, .doubted(_, _, .awaitsCheck):
            state = .lost(since: now, reason: reason)
            return .lost(reason: reason)
        case .lost(let since, _):
            state = .lost(since: since, reason: reason)
            return .none
        }
    }

    /// Declares the route lost after the loss has been in doubt for `Limits.maxDoubt`.
    ///
    /// - Returns: the reason for the loss; nil if no loss was in doubt.
    mutating func doubtExpired(at now: Instant) -> String? {
        guard case .doubted(_, let reason, _) = state else { return nil }
        state = .lost(since: now, reason: reason)
        return reason
    }

    /// Applies the result of resolving the provider's name.
    ///
    /// - Parameters:
    ///   - addresses: empty if the name could not be resolved.
    ///   - isUpToDate: whether no other resolution has been requested since this one began.
    /// - Returns: whether a new route check is needed: the addresses differ from the previous ones, or a missing route
    ///   now counts as a loss.
    mutating func resolved(_ addresses: [IPAddress], isUpToDate: Bool) -> Bool {
        var needsCheck = !isResolved && state == .unasked
        isResolved = true
        if isUpToDate, case .doubted(let openSince, let reason, .awaitsResolution) = state {
            state = .doubted(openSince: openSince, reason: reason, .awaitsCheck)
            needsCheck = true
        }
        // If the name cannot be resolved now, its previous addresses remain valid.
        guard !addresses.isEmpty, addresses.sorted() != targets.sorted() else { return needsCheck }
        targets = addresses
        return true
    }

    /// Restores a loss that began before the restart. The wall clock may have been set back, so the loss begins at
    /// `now` at the latest.
    mutating func restore(_ loss: SavedLoss, at now: Instant) {
        let lasted = max(.zero, now.wall - loss.since)
        state = .lost(since: Instant(boot: now.boot + (.zero - lasted), wall: loss.since), reason: loss.reason)
    }
}
