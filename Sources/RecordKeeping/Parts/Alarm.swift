/// What a deadline in the one schedule is for.
///
/// Each has a number of its own, because the schedule names things by small numbers: a few fixed ones, then entries on
/// the even and waiting callers on the odd numbers.
enum Alarm: Hashable, Sendable {
    /// Route events have been gathered for long enough.
    case settled
    /// What falls due has been gathered for long enough.
    case gathered
    /// The provider's backoff is over.
    case providerRetry
    /// An endpoint's quota window is over.
    case windowOver(Call.Endpoint)
    /// A commit that failed is tried again.
    case storeRetry
    /// Stopping takes too long.
    case stopLimit
    /// An entry's record ends its life, or its backoff is over.
    case entry(slot: Int)
    /// A caller has waited as long as it wanted.
    case caller(index: Int)

    private static let fixed = 8

    var number: Int {
        switch self {
        case .settled: 0
        case .gathered: 1
        case .providerRetry: 2
        case .windowOver(.single): 3
        case .windowOver(.batch): 4
        case .storeRetry: 5
        case .stopLimit: 6
        case .entry(let slot): Self.fixed + 2 * slot
        case .caller(let index): Self.fixed + 2 * index + 1
        }
    }

    init(number: Int) {
        self =
            switch number {
            case 0: .settled
            case 1: .gathered
            case 2: .providerRetry
            case 3: .windowOver(.single)
            case 4: .windowOver(.batch)
            case 5: .storeRetry
            case 6: .stopLimit
            default:
                (number - Self.fixed).isMultiple(of: 2)
                    ? .entry(slot: (number - Self.fixed) / 2) : .caller(index: (number - Self.fixed) / 2)
            }
    }
}
