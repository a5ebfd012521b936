/// The ends of the watches that end by themselves, by slot index.
///
/// They are times on the wall clock: clients ask for them, and they survive a reboot.
struct WatchEnds: Sendable {
    private var ends: [Int32: WallTime] = [:]
    /// The ends that `popEnded` has not returned. A schedule only compares its deadlines with each other, so they can
    /// be milliseconds of wall time instead of nanoseconds of boot time.
    private var pending = Schedule()

    /// The number of ends that `popEnded` has not returned.
    var pendingCount: Int { pending.count }

    /// The number of ends that `popEnded` has returned, and that are still set.
    var endedCount: Int { ends.count - pending.count }

    /// The earliest end that `popEnded` has not returned.
    var earliest: WallTime? { pending.earliest.map { WallTime(milliseconds: $0.nanoseconds) } }

    /// The end of the watch of an entry; nil if it does not end by itself.
    @inline(__always)
    subscript(index: Int) -> WallTime? { ends.isEmpty ? nil : ends[Int32(index)] }

    /// Sets or, with nil, removes the end of a watch.
    @inline(__always)
    mutating func set(_ index: Int, to end: WallTime?) {
        if self[index] != end { replace(index, by: end) }
    }

    private mutating func replace(_ index: Int, by end: WallTime?) {
        ends[Int32(index)] = end
        if let end {
            pending.set(index, to: BootTime(nanoseconds: end.milliseconds))
        } else {
            pending.remove(index)
        }
    }

    /// Returns the entry with the earliest end, if that is not after `now`; otherwise nil. Each end is returned once.
    mutating func popEnded(at now: WallTime) -> (index: Int, until: WallTime)? {
        guard let index = pending.popDue(at: BootTime(nanoseconds: now.milliseconds)) else { return nil }
        return self[index].map { (index, $0) }
    }
}
