/// The purpose of a deadline in the keeper's schedule.
///
/// Each timer has a unique id, because a `Schedule` identifies its elements by small integers: fixed ids for a
/// few timers, then even ids for entries and odd ids for waiting callers.
enum TimerID: Hashable, Sendable {
    /// The debounce time for route events is over.
    case debounced
    /// The time for which due addresses are collected into one call is over.
    case gathered
    /// The provider's backoff is over.
    case providerRetry
    /// The quota window of an endpoint is over.
    case windowOver(Call.Endpoint)
    /// The backoff after a failed commit is over.
    case storeRetry
    /// The time for calls in flight to complete during shutdown is over.
    case stopLimit
    /// The time for which the loss of the route may be in doubt is over.
    case doubtOver
    /// The provider's name has to be resolved again, because the route is lost.
    case resolution
    /// The next temporary watch ends.
    case watchEnd
    /// The next watched name has to be resolved.
    case names
    /// An entry's record expires, or the backoff of its address is over.
    case entry(slot: Int)
    /// A caller's time limit is reached.
    case caller(index: Int)

    /// The timers that do not belong to an entry or a caller, in the order of their ids.
    static let fixed: [TimerID] = [
        .debounced, .gathered, .providerRetry, .windowOver(.single), .windowOver(.batch), .storeRetry, .stopLimit,
        .doubtOver, .resolution, .watchEnd, .names,
    ]

    /// The id of the first entry: even, and above the fixed ids.
    private static let firstEntry = 16

    /// The id in the schedule, which `init(id:)` maps back.
    var id: Int {
        switch self {
        case .entry(let slot): return Self.firstEntry + 2 * slot
        case .caller(let index): return Self.firstEntry + 2 * index + 1
        case .debounced, .gathered, .providerRetry, .windowOver, .storeRetry, .stopLimit, .doubtOver, .resolution,
            .watchEnd, .names:
            guard let id = Self.fixed.firstIndex(of: self) else { preconditionFailure("\(self) has no fixed id") }
            return id
        }
    }

    init(id: Int) {
        guard id >= Self.firstEntry else {
            self = Self.fixed[id]
            return
        }
        let (index, remainder) = (id - Self.firstEntry).quotientAndRemainder(dividingBy: 2)
        self = remainder == 0 ? .entry(slot: index) : .caller(index: index)
    }
}
