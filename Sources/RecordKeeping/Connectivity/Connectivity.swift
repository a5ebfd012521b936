/// Whether there is a route to the provider, according to the kernel's routing tables.
///
///     unasked ──route────▶ open ◀──────────────────┐
///        │                  │ no route             │ route
///        └──no route──▶ lost(since:, reason:) ─────┘
///
/// Until the provider's name has been resolved for the first time, global addresses are checked instead of the
/// provider's. A missing route to them is not a loss yet, because the provider may have a local address.
///
/// The content of a route event is not interpreted; each event only causes a new check. Each check has an epoch, and
/// only the result of the latest check counts.
struct Connectivity: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The kernel has not given a conclusive answer yet; no calls are made.
        case unasked
        /// There is a route, or one is assumed because the kernel cannot be queried.
        case open(since: WallTime)
        /// There is no route.
        case lost(since: Instant, reason: String)
    }

    /// The state change that the result of a route check caused.
    enum Turn: Hashable, Sendable {
        case none
        case opened
        case lost(reason: String)
        case restored(after: Duration)
    }

    private(set) var state = State.unasked
    private(set) var epoch = 0
    /// Whether a route check is in progress.
    private(set) var isAsking = false
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

    var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// The loss to save; nil unless the route is lost.
    var loss: SavedLoss? {
        if case .lost(let since, let reason) = state { SavedLoss(since: since.wall, reason: reason) } else { nil }
    }

    /// Begins a route check.
    ///
    /// - Returns: the epoch of the check.
    mutating func ask() -> Int {
        epoch += 1
        isAsking = true
        return epoch
    }

    /// Applies the result of a route check, unless a later check has begun.
    mutating func answered(_ status: RouteStatus, epoch: Int, at now: Instant) -> Turn {
        guard epoch == self.epoch else { return .none }
        isAsking = false
        switch (state, status) {
        case (.unasked, .none) where !isResolved:
            return .none
        case (.unasked, .open), (.unasked, .unknown):
            state = .open(since: now.wall)
            return .opened
        case (.lost(let since, _), .open), (.lost(let since, _), .unknown):
            state = .open(since: now.wall)
            return .restored(after: now.boot - since.boot)
        case (.unasked, .none(let reason)), (.open, .none(let reason)):
            state = .lost(since: now, reason: reason)
            return .lost(reason: reason)
        case (.open, .open), (.open, .unknown):
            return .none
        case (.lost(let since, _), .none(let reason)):
            state = .lost(since: since, reason: reason)
            return .none
        }
    }

    /// Applies the result of resolving the provider's name.
    ///
    /// - Parameter addresses: empty if the name could not be resolved.
    /// - Returns: whether a new route check is needed: the addresses differ from the previous ones, or a missing route
    ///   now counts as a loss.
    mutating func resolved(_ addresses: [IPAddress]) -> Bool {
        let isFirst = !isResolved
        isResolved = true
        // If the name cannot be resolved now, its previous addresses remain valid.
        guard !addresses.isEmpty, addresses.sorted() != targets.sorted() else { return isFirst && state == .unasked }
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
