/// Whether there is a way to the provider, as the kernel's routes say.
///
///     unasked ──answer──▶ open ◀──────┐
///        │                 │ no way   │ a way
///        └──no way──▶ lost(since, why)┘
///
/// Until the provider's name has been looked up for the first time the kernel is asked about the internet at large. That there
/// is no way there is no loss yet: the name may stand for an address nearby.
///
/// Whatever the kernel tells of its routes is not interpreted; it only means: ask again. Each question has an epoch, and an
/// answer to any but the last question changes nothing.
struct Connectivity: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The kernel has not answered yet; no call goes out.
        case unasked
        /// There is a way, or one is presumed because the kernel cannot be asked.
        case open(since: WallTime)
        case lost(since: Instant, reason: String)
    }

    /// What an answer changed.
    enum Turn: Hashable, Sendable {
        case none
        case opened
        case lost(reason: String)
        case restored(after: Duration)
    }

    private(set) var state = State.unasked
    private(set) var epoch = 0
    /// A question is under way.
    private(set) var isAsking = false
    /// The provider's name has been looked up, with an address or in vain.
    private var isResolved = false
    /// What the provider's name stands for; before that is known, one global address of each family.
    private(set) var targets: [IPAddress] = Self.globalAddresses

    /// a.root-servers.net, which has had these addresses for decades. They are looked up in the routing table only.
    private static let globalAddresses = [
        IPAddress(v4: 0xC629_0004), IPAddress(high: 0x2001_0503_BA3E_0000, low: 0x0000_0000_0002_0030),
    ]

    var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    var loss: SavedLoss? {
        if case .lost(let since, let reason) = state { SavedLoss(since: since.wall, reason: reason) } else { nil }
    }

    /// - Returns: the epoch of the question that is to be asked.
    mutating func ask() -> Int {
        epoch += 1
        isAsking = true
        return epoch
    }

    mutating func answered(_ way: Way, epoch: Int, at now: Instant) -> Turn {
        guard epoch == self.epoch else { return .none }
        isAsking = false
        switch (state, way) {
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

    /// - Returns: whether the kernel has to be asked: the targets are other ones than before, or an answer about them counts
    ///   now that did not before.
    mutating func resolved(_ addresses: [IPAddress]) -> Bool {
        let isFirst = !isResolved
        isResolved = true
        // A name that cannot be resolved right now still stands for what it stood for.
        guard !addresses.isEmpty, addresses.sorted() != targets.sorted() else { return isFirst && state == .unasked }
        targets = addresses
        return true
    }

    /// A loss that outlived the process began when the wall clock said so, but never after now: it may have been set back.
    mutating func restore(_ loss: SavedLoss, at now: Instant) {
        let lasted = max(.zero, now.wall - loss.since)
        state = .lost(since: Instant(boot: now.boot + (.zero - lasted), wall: loss.since), reason: loss.reason)
    }
}
