/// The division of one endpoint's quota window among urgent refreshes, background refreshes and lookups.
///
/// Shares are counted in addresses: a window allows its calls times `addressesPerCall`. A window is divided by max-min
/// fairness: each rank gets what it needs, but no rank gets more than another that needs more. A rank that needs a
/// third of the window therefore gets at least a third, and the share that a rank does not need goes to the others.
///
/// The needs are those known at the time of a call: the addresses in the queues, and those that are expected until the
/// window ends. A call uses up its whole capacity even if it contains fewer addresses, so each guarantee is accurate
/// only to one call.
struct QuotaShares: Hashable, Sendable {
    typealias Rank = DueQueues.Rank

    /// Maximum number of addresses in one call to the endpoint.
    let addressesPerCall: Int
    /// The number of addresses of each rank that were sent in the open window. Unused capacity of a call is charged to
    /// the ranks in the call.
    private(set) var spent = RankCounts()
    /// The ranks, in ascending order of their number of addresses in the last call. The remainder of a division goes to
    /// the first ranks, so that all ranks take turns.
    private(set) var order = Rank.allCases

    init(addressesPerCall: Int) {
        self.addressesPerCall = addressesPerCall
    }

    // MARK: Dividing

    /// Returns how many addresses of each rank the next call contains; all zero if no queued address may be sent yet.
    ///
    /// - Parameters:
    ///   - maximum: the maximum number of addresses in the call.
    ///   - left: the number of calls that may still be sent in the window; nil if there is no limit.
    ///   - limit: the number of calls that a window is presumed to allow; nil if unknown.
    ///   - queued: the due addresses.
    ///   - expected: the addresses that will probably be due before the window ends.
    ///   - unawaited: the number of lookups in `queued` that no caller waits for; 0 if no calls are kept for lookups
    ///     that callers wait for.
    func nextCall(
        atMost maximum: Int, left: Int?, limit: Int? = nil, queued: RankCounts, expected: RankCounts,
        unawaited: Int = 0
    ) -> RankCounts {
        guard let left else { return divide(maximum, among: queued) }
        var sent = queued
        let kept = callsForAwaitedLookups(left: left, limit: limit)
        sent.lookup -= max(0, unawaited - max(0, left - kept) * addressesPerCall)
        let needs = RankCounts { queued[$0] + expected[$0] }
        let reserved = divide(left * addressesPerCall, among: needs, beyond: spent)
        let call = divide(maximum, among: RankCounts { min(sent[$0], reserved[$0]) })
        guard call.total > 0 else { return call }
        // The call always uses up its whole capacity, so other due addresses fill it.
        let others = divide(
            maximum - call.total, among: RankCounts { queued[$0] - call[$0] }, beyond: call)
        return RankCounts { call[$0] + others[$0] }
    }

    /// Returns a third of the window's addresses, less the number of addresses of this rank that were already sent.
    ///
    /// - Parameter left: the number of calls that may still be sent in the window.
    func unspentThird(of rank: Rank, left: Int) -> Int {
        max(0, (left * addressesPerCall + spent.total) / Rank.allCases.count - spent[rank])
    }

    /// Returns the number of calls of the window that are kept for lookups with a waiting caller, so that other lookups
    /// cannot use them: a ninth of the window, at least one call, but not all calls. Otherwise, one user's lookups
    /// could use up the window before other users or administrators begin their lookups.
    private func callsForAwaitedLookups(left: Int, limit: Int?) -> Int {
        let calls = max(limit ?? 0, left + spent.total / addressesPerCall)
        return min(max(1, calls / (Rank.allCases.count * Rank.allCases.count)), calls - 1)
    }

    /// Divides a number of addresses by max-min fairness.
    ///
    /// - Parameters:
    ///   - needs: the maximum number of addresses that each rank gets.
    ///   - used: the number of addresses that each rank already has. A rank that has more than another gets nothing
    ///     until the other has caught up or needs no more.
    private func divide(_ count: Int, among needs: RankCounts, beyond used: RankCounts = RankCounts()) -> RankCounts {
        func shares(upTo level: Int) -> RankCounts {
            RankCounts { max(0, min(needs[$0], level - used[$0])) }
        }
        // The highest level to which all ranks can be filled.
        var (low, high) = (0, count + max(used.urgent, used.background, used.lookup))
        while low < high {
            let middle = (low + high + 1) / 2
            if shares(upTo: middle).total <= count { low = middle } else { high = middle - 1 }
        }
        var shares = shares(upTo: low)
        for rank in order where shares.total < count && shares[rank] < needs[rank] && used[rank] <= low {
            shares[rank] += 1
        }
        return shares
    }

    // MARK: Invariants

    /// Returns a description of each invariant that does not hold; empty if all hold.
    ///
    /// - Parameter left: the number of calls that may still be sent in the window; nil if no window is open.
    func checkInvariants(left: Int?) -> [String] {
        var broken: [String] = []
        if Set(order) != Set(Rank.allCases) || order.count != Rank.allCases.count {
            broken.append("the order is \(order)")
        }
        if !spent.total.isMultiple(of: addressesPerCall) {
            broken.append("the shares \(spent) do not add up to whole calls")
        }
        guard let left, left > 0 else { return broken }
        // A rank may have used more than its third while the others needed less, and they may now need more than is
        // left.
        let unspent = Rank.allCases.reduce(0) { $0 + unspentThird(of: $1, left: left) }
        guard unspent <= left * addressesPerCall else { return broken }
        // If all queues were full, a rank that has not used its third would get a third of the next call.
        let full = RankCounts { _ in Limits.addressesPerRequest }
        let call = nextCall(atMost: addressesPerCall, left: left, queued: full, expected: RankCounts())
        for rank in Rank.allCases
        where unspentThird(of: rank, left: left) >= addressesPerCall && call[rank] < addressesPerCall / 3 {
            broken.append("after \(spent), the next call has only \(call[rank]) \(rank) addresses")
        }
        return broken
    }

    // MARK: Changes

    /// Records the addresses of a call.
    ///
    /// - Parameter isCounted: whether the call belongs to a window with a limit.
    mutating func send(_ call: RankCounts, isCounted: Bool) {
        guard call.total > 0 else { return }
        order.sort { call[$0] < call[$1] }
        guard isCounted else { return }
        var (addresses, charged) = (0, 0)
        for rank in Rank.allCases {
            addresses += call[rank]
            let charge = addresses * addressesPerCall / call.total - charged
            spent[rank] += charge
            charged += charge
        }
    }

    mutating func endWindow() {
        spent = RankCounts()
    }
}
