/// The purpose of a deadline in the keeper's schedule.
///
/// Each timer has a unique number, because a `Schedule` identifies its elements by small integers: fixed numbers for a
/// few timers, then even numbers for entries and odd numbers for waiting callers.
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

    /// The number of the first entry.
    private static let firstEntry = 8

    /// The id in the schedule, which `init(number:)` maps back.
    var number: Int {
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

    init(number: Int) {
        self =
            switch number {
            case 0: .debounced
            case 1: .gathered
            case 2: .providerRetry
            case 3: .windowOver(.single)
            case 4: .windowOver(.batch)
            case 5: .storeRetry
            case 6: .stopLimit
            default:
                (number - Self.firstEntry).isMultiple(of: 2)
                    ? .entry(slot: (number - Self.firstEntry) / 2) : .caller(index: (number - Self.firstEntry) / 2)
            }
    }
}
