import RecordKeeping

/// Events that listeners are to be told still, in their order: effects that are all `.tell`, as the keeper gave them.
struct Untold {
    private var runs: [ArraySlice<Effect>] = []
    /// Somebody will see to them.
    var isScheduled = false

    var isEmpty: Bool { runs.isEmpty }
    var count: Int { runs.reduce(0) { $0 + $1.count } }

    mutating func append(_ events: ArraySlice<Effect>) {
        if !events.isEmpty { runs.append(events) }
    }

    /// The first of them, at most so many.
    mutating func take(_ most: Int) -> [ArraySlice<Effect>] {
        var taken: [ArraySlice<Effect>] = []
        var room = most
        while room > 0, let first = runs.first {
            let some = first.prefix(room)
            taken.append(some)
            room -= some.count
            if some.count == first.count { runs.removeFirst() } else { runs[0] = first.dropFirst(some.count) }
        }
        return taken
    }
}
