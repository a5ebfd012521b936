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
    /// An entry's record expires, or the backoff of its address is over.
    case entry(slot: Int)
    /// A caller's time limit is reached.
    case caller(index: Int)

    /// The timers that do not belong to an entry or a caller.
    static let fixed: [TimerID] = [
        .debounced, .gathered, .providerRetry, .windowOver(.single), .windowOver(.batch), .storeRetry, .stopLimit,
    ]

    /// The id of the first entry.
    private static let firstEntry = 8

    /// The id in the schedule, which `init(id:)` maps back.
    var id: Int {
        switch self {
        case .debounced: 0
        case .gathered: 1
        case .providerRetry: 2
        case .windowOver(.single): 3
        case .windowOver(.batch): 4
        case .storeRetry: 5
        case .stopLimit: 6
        case .entry(let slot): Self.firstEntry + 2 * slot
        case .caller(let index): Self.firstEntry + 2 * index + 1
        }
    }

    init(id: Int) {
        self =
            switch id {
            case 0: .debounced
            case 1: .gathered
            case 2: .providerRetry
            case 3: .windowOver(.single)
            case 4: .windowOver(.batch)
            case 5: .storeRetry
            case 6: .stopLimit
            default:
                (id - Self.firstEntry).isMultiple(of: 2)
                    ? .entry(slot: (id - Self.firstEntry) / 2) : .caller(index: (id - Self.firstEntry) / 2)
            }
    }
}
