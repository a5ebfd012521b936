import RecordKeeping

/// The kernel's routes and the provider's addresses: whether there is a route to the address that the name server
/// reports, and since when.
///
/// The provider moves from one address to another. The name server reports the new address, the old address loses its
/// route, and the new one gets a route, in any order. The last two are changes that the kernel reports.
struct SimulatedRoutes {
    /// A step of the provider's move to another address.
    enum MoveStep: CaseIterable, Sendable {
        case nameChanges
        case oldRouteRemoved
        case newRouteAdded

        var isReportedByKernel: Bool { self != .nameChanges }
    }

    /// The time of the last change of a route or of the name.
    private(set) var since = Moment.start
    /// The time at which the route last became open.
    private(set) var lastOpened = Moment.start
    /// The number of losses in effect. They may overlap; the route returns at the end of the last one.
    private var losses = 0
    /// The address that the name server reports.
    private(set) var address = Self.address(number: 0)
    /// The number of moves that have begun.
    private var moves = 0
    /// The remaining steps of the current move.
    private var steps: Set<MoveStep> = []
    /// The addresses of the provider, old or new, that have no route.
    private var withoutRoute: Set<IPAddress> = []
    /// The addresses in the current process's last route check, and the time since which it has checked them.
    private var checked: (addresses: [IPAddress], since: Moment) = ([], .start)

    private static func address(number: Int) -> IPAddress { IPAddress(v4: 0xD05F_7001 + UInt32(number)) }

    /// Whether there is a route to the address that the name server reports.
    var isOpen: Bool { isNetworkUp && !withoutRoute.contains(address) }

    var isNetworkUp: Bool { losses == 0 }

    /// The time since which the route has been open; nil if there is none.
    var openSince: Moment? { isOpen ? lastOpened : nil }

    /// Whether the route checks of the current process include the address that the name server reports.
    var isChecked: Bool { checked.addresses.contains(address) }

    /// The time since which the route checks have included the current address, and neither a route nor the name has
    /// changed.
    var sinceChecked: Moment { max(since, checked.since) }

    // MARK: Changes

    mutating func lose(at now: Moment) {
        change(at: now) { $0.losses += 1 }
    }

    mutating func putBack(at now: Moment) {
        change(at: now) { $0.losses -= 1 }
    }

    /// Begins a move to a new address, which has no route yet.
    ///
    /// - Returns: false if the provider is already moving.
    mutating func beginMove() -> Bool {
        guard steps.isEmpty else { return false }
        moves += 1
        withoutRoute.insert(Self.address(number: moves))
        steps = Set(MoveStep.allCases)
        return true
    }

    mutating func move(_ step: MoveStep, at now: Moment) {
        steps.remove(step)
        change(at: now) { routes in
            switch step {
            case .nameChanges: routes.address = Self.address(number: routes.moves)
            case .oldRouteRemoved: routes.withoutRoute.insert(Self.address(number: routes.moves - 1))
            case .newRouteAdded: routes.withoutRoute.remove(Self.address(number: routes.moves))
            }
        }
    }

    private mutating func change(at now: Moment, _ apply: (inout SimulatedRoutes) -> Void) {
        let wasOpen = isOpen
        apply(&self)
        since = now
        if isOpen, !wasOpen { lastOpened = now }
    }

    // MARK: Route checks

    /// Records the beginning of a process, which has checked no addresses.
    mutating func processBegan(at now: Moment) {
        checked = ([], now)
    }

    /// Returns the result of a route check.
    mutating func check(_ addresses: [IPAddress], at now: Moment) -> RouteStatus {
        if checked.addresses != addresses { checked = (addresses, now) }
        let isOpen = isNetworkUp && addresses.contains { !withoutRoute.contains($0) }
        return isOpen ? .open : .none(reason: "network is unreachable")
    }
}
