import DequeModule

/// A reading of the lists that waits or is being applied, and its progress.
struct PendingReading: Sendable {
    /// The next step.
    enum Step: Hashable, Sendable {
        /// Decides whether the reading is refused.
        case judging
        /// Puts the addresses of the next portion on the watch list.
        case adding
        /// Takes addresses that are not in any list off the watch list, from this slot on.
        case removing(nextSlot: Int)
        /// Everything is drafted.
        case done
    }

    let id: Int
    let isComplete: Bool
    private(set) var isForced: Bool
    let addresses: Set<IPAddress>
    let hasFileEntries: Bool
    let problems: [String]
    /// The requests that wait for the reading's end.
    var requests: [Request.ID]
    /// Lines that are not drafted yet.
    private var portions: Deque<[ListedAddress]>
    var step = Step.judging
    /// Addresses put on the watch list so far.
    var added = 0
    /// Addresses taken off so far.
    var removed = 0

    init(_ reading: ListReading, id: Int) {
        self.id = id
        isComplete = reading.isComplete
        isForced = reading.isForced
        addresses = reading.addresses
        hasFileEntries = reading.hasFileEntries
        problems = reading.problems
        requests = reading.request.map { [$0] } ?? []
        portions = Deque(reading.portions)
    }

    /// Takes the place of an older reading that has not begun to be applied.
    ///
    /// This reading began after the other's requests, so it answers them. It is forced if the other one was and needed to be.
    mutating func replace(_ older: PendingReading) {
        requests = older.requests + requests
        if older.isForced, older.isComplete, !older.hasFileEntries { isForced = true }
    }

    /// Removes and returns the next lines; nil when all are drafted.
    mutating func nextPortion() -> [ListedAddress]? { portions.popFirst() }
}
