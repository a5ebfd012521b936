import RecordKeeping

/// The kernel's routes: whether there is a route to the provider, and since when.
struct SimulatedRoutes {
    private(set) var isOpen = true
    private(set) var since = Moment.start
    /// The number of losses in effect. They may overlap; the route returns at the end of the last one.
    private var losses = 0

    /// - Returns: whether the state changed.
    mutating func lose(at now: Moment) -> Bool {
        losses += 1
        return turn(losses == 0, at: now)
    }

    mutating func putBack(at now: Moment) -> Bool {
        losses -= 1
        return turn(losses == 0, at: now)
    }

    private mutating func turn(_ open: Bool, at now: Moment) -> Bool {
        guard open != isOpen else { return false }
        (isOpen, since) = (open, now)
        return true
    }

    var status: RouteStatus { isOpen ? .open : .none(reason: "network is unreachable") }
}
