import RecordKeeping

/// The kernel's routes: whether there is a way, and since when.
struct SimulatedRoutes {
    private(set) var isOpen = true
    private(set) var since = Moment.start
    /// Losses that overlap end with the last of them.
    private var losses = 0

    /// - Returns: whether that changed anything.
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

    var way: Way { isOpen ? .open : .none(reason: "network is unreachable") }
}
