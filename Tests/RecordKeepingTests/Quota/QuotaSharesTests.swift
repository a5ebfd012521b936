import Testing

@testable import RecordKeeping

@Suite struct QuotaSharesTests {
    private let many = RankCounts(urgent: 5_000, background: 5_000, lookup: 5_000)
    private let none = RankCounts()

    /// Returns the addresses of the calls that are sent until none may be sent.
    private func spend(
        _ left: Int, of shares: inout QuotaShares, queued: RankCounts, expected: RankCounts = RankCounts()
    )
        -> RankCounts
    {
        var (sent, left) = (RankCounts(), left)
        while left > 0 {
            let size = shares.addressesPerCall
            let queued = RankCounts { queued[$0] - sent[$0] }
            let call = shares.nextCall(atMost: size, left: left, queued: queued, expected: expected)
            guard call.total > 0 else { break }
            shares.send(call, isCounted: true)
            #expect(shares.checkInvariants(left: left - 1) == [])
            sent = RankCounts { sent[$0] + call[$0] }
            left -= 1
        }
        return sent
    }

    @Test(arguments: [(1, 45), (100, 15), (1, 3), (1, 4), (100, 3), (7, 5)])
    func `each rank with many addresses gets a third of a window`(size: Int, calls: Int) {
        var shares = QuotaShares(addressesPerCall: size)
        let sent = spend(calls, of: &shares, queued: many)
        #expect(sent.total == size * calls)
        for rank in DueQueues.Rank.allCases { #expect(sent[rank] >= size * calls / 3) }
    }

    @Test func `what a rank does not need goes to the others in equal parts`() {
        var shares = QuotaShares(addressesPerCall: 100)
        let sent = spend(15, of: &shares, queued: RankCounts(urgent: 100, background: 5_000, lookup: 5_000))
        #expect(sent == RankCounts(urgent: 100, background: 700, lookup: 700))
        shares.endWindow()
        #expect(spend(15, of: &shares, queued: RankCounts(lookup: 5_000)) == RankCounts(lookup: 1_500))
    }

    @Test func `calls are kept for expected addresses, up to an equal part`() {
        var shares = QuotaShares(addressesPerCall: 1)
        let expected = RankCounts(background: 100)
        #expect(spend(45, of: &shares, queued: RankCounts(lookup: 100), expected: expected) == RankCounts(lookup: 22))
        // The expected refreshes fall due, while more lookups are queued.
        let rest = spend(23, of: &shares, queued: many)
        #expect(rest.lookup == 0 && min(rest.urgent, rest.background) == 11)
        shares.endWindow()
        let few = RankCounts(background: 5)
        #expect(spend(45, of: &shares, queued: RankCounts(lookup: 100), expected: few) == RankCounts(lookup: 40))
    }

    @Test func `a call that is not full counts as a whole call`() {
        var shares = QuotaShares(addressesPerCall: 100)
        shares.send(RankCounts(lookup: 1), isCounted: true)
        #expect(shares.spent == RankCounts(lookup: 100))
        shares.send(RankCounts(background: 1, lookup: 2), isCounted: true)
        #expect(shares.spent == RankCounts(background: 33, lookup: 167))
        #expect(shares.unspentThird(of: .lookup, left: 13) == 333)
    }

    @Test func `the empty places of a call are filled with any due addresses`() {
        let shares = QuotaShares(addressesPerCall: 100)
        let queued = RankCounts(background: 1, lookup: 99)
        #expect(shares.nextCall(atMost: 100, left: 1, queued: queued, expected: none) == queued)
        let expected = RankCounts(background: 200)
        #expect(
            shares.nextCall(atMost: 100, left: 2, queued: RankCounts(lookup: 300), expected: expected)
                == RankCounts(lookup: 100))
    }

    @Test func `calls are kept for awaited lookups, even if the window has just turned out to be a new one`() {
        // The reply to a call has reported a new window of two calls, so the call is not in the shares of the window.
        let shares = QuotaShares(addressesPerCall: 100)
        let queued = RankCounts(lookup: 1)
        #expect(shares.nextCall(atMost: 100, left: 1, limit: 2, queued: queued, expected: none, unawaited: 1) == none)
        #expect(shares.nextCall(atMost: 100, left: 1, limit: 2, queued: queued, expected: none) == queued)
    }

    @Test func `if the window shrinks, what is left is divided`() {
        var shares = QuotaShares(addressesPerCall: 1)
        #expect(spend(20, of: &shares, queued: RankCounts(lookup: 20)).lookup == 20)
        let sent = spend(10, of: &shares, queued: many)
        #expect(sent == RankCounts(urgent: 5, background: 5), "lookups have more than their third of 30")
    }

    @Test func `without a limit, single calls take turns`() {
        var shares = QuotaShares(addressesPerCall: 1)
        var sent = RankCounts()
        for _ in 0..<9 {
            let call = shares.nextCall(atMost: 1, left: nil, queued: many, expected: none)
            shares.send(call, isCounted: false)
            sent = RankCounts { sent[$0] + call[$0] }
        }
        #expect(sent == RankCounts(urgent: 3, background: 3, lookup: 3) && shares.spent == none)
    }
}
