import RecordKeeping

/// A period in which nothing failed and, at each call to one endpoint, urgent refreshes, background refreshes and
/// lookups certainly all had enough waiting addresses.
struct Contention {
    let since: Moment
    /// The number of addresses of each rank in the calls since the first complete window.
    private var called: [Waiting.Rank: Int] = [:]
    /// The number of addresses of uncertain rank in these calls.
    private var uncertain = 0
    private(set) var total = 0

    init(since: Moment) {
        self.since = since
    }

    /// The maximum time until a window that was open when the contention began has ended.
    static let window = Duration.seconds(66)
    /// The number of waiting addresses of each rank that certainly suffices for a third of a call.
    static let enough = 34

    mutating func add(_ call: Call, _ ranks: [IPAddress: Waiting.Rank]) {
        for address in call.addresses {
            if let rank = ranks[address] { called[rank, default: 0] += 1 } else { uncertain += 1 }
        }
        total += call.addresses.count
    }

    /// Returns a rank that has received less than a third of the addresses in the calls, with a tolerance of one call;
    /// nil if there is none.
    func disadvantaged(addressesPerCall: Int) -> (rank: Waiting.Rank, count: Int)? {
        for rank in Waiting.Rank.allCases {
            let count = called[rank, default: 0] + uncertain
            if 3 * (count + addressesPerCall) < total { return (rank, count) }
        }
        return nil
    }
}

/// The promise that each rank gets a third of every window in which all three ranks need calls.
extension Promises {
    /// Checks that, during contention, no rank has received less than a third of the calls.
    ///
    /// - Parameter waiting: the addresses that certainly waited before the call.
    mutating func checkShares(
        of call: Call, _ waiting: [Waiting], _ conditions: Conditions, disk: SimulatedDisk, coverage: inout Coverage,
        at now: Moment
    ) throws(Violation) {
        var counts: [Waiting.Rank: Int] = [:]
        var ranks: [IPAddress: Waiting.Rank] = [:]
        for address in waiting {
            guard let rank = address.rank else { continue }
            counts[rank, default: 0] += 1
            ranks[address.address] = rank
        }
        let capacity = call.endpoint == .batch ? Limits.addressesPerBatch : 1
        let isContended =
            Waiting.Rank.allCases.allSatisfy { counts[$0, default: 0] >= Contention.enough }
            && call.addresses.count == capacity
        guard isContended else {
            contentions[call.endpoint] = nil
            return
        }
        var contention = contentions[call.endpoint] ?? Contention(since: now)
        if contention.since < conditions.calmSince { contention = Contention(since: now) }
        if now - contention.since > Contention.window {
            for address in call.addresses where isLookup(address, disk: disk, at: now) { ranks[address] = .lookup }
            contention.add(call, ranks)
            coverage.count("checked: shares of \(call.endpoint) calls")
            if let (rank, count) = contention.disadvantaged(addressesPerCall: capacity) {
                throw broken(
                    "each rank gets a third of a contended window", "\(rank) got \(count) of \(contention.total)", now)
            }
        }
        contentions[call.endpoint] = contention
    }
}
