/// The ends of the watches that end by themselves, by slot index.
///
/// An end first waits for the retention clock, and then for the wall clock, which normally reaches it at the same time.
struct WatchEnds: Sendable {
    private var ends: [Int32: WatchEnd] = [:]
    // A schedule only compares its deadlines with each other, so they can be times on any clock, in milliseconds.
    /// The ends that the retention clock has not reached.
    private var unelapsed = Schedule()
    /// The ends that the retention clock has reached, by their wall time.
    private var elapsed = Schedule()

    /// The number of ends that `popReached` has not returned.
    var pendingCount: Int { unelapsed.count + elapsed.count }

    /// The number of ends that `popReached` has returned, and that are still set.
    var reachedCount: Int { ends.count - pendingCount }

    /// The end of the watch of an entry; nil if it does not end by itself.
    @inline(__always)
    subscript(index: Int) -> WatchEnd? { ends.isEmpty ? nil : ends[Int32(index)] }

    /// Sets or, with nil, removes the end of a watch.
    @inline(__always)
    mutating func set(_ index: Int, to end: WatchEnd?) {
        if self[index] != end { replace(index, by: end) }
    }

    private mutating func replace(_ index: Int, by end: WatchEnd?) {
        ends[Int32(index)] = end
        unelapsed.remove(index)
        elapsed.remove(index)
        if end != nil { putBack(index) }
    }

    /// Makes `popReached` return an end again.
    mutating func putBack(_ index: Int) {
        guard let end = self[index] else { return }
        unelapsed.set(index, to: BootTime(nanoseconds: end.elapsed.wholeMilliseconds))
    }

    /// The time from `now` until `popReached` may return an end; nil if there are none to return.
    ///
    /// - Parameter time: the time on the retention clock.
    func next(at now: Instant, elapsed time: Duration) -> Duration? {
        let first = unelapsed.earliest.map { Duration.milliseconds($0.nanoseconds) - time }
        let second = elapsed.earliest.map { WallTime(milliseconds: $0.nanoseconds) - now.wall }
        return [first, second].compactMap(\.self).min()
    }

    /// Returns the index of an entry whose end both clocks have reached; nil if there is none. Each end is returned
    /// once.
    ///
    /// - Parameter time: the time on the retention clock.
    mutating func popReached(at now: Instant, elapsed time: Duration) -> Int? {
        while let index = unelapsed.popDue(at: BootTime(nanoseconds: time.wholeMilliseconds)) {
            guard let end = self[index] else { continue }
            elapsed.set(index, to: BootTime(nanoseconds: end.until.milliseconds))
        }
        return elapsed.popDue(at: BootTime(nanoseconds: now.wall.milliseconds))
    }
}
