import Testing

@testable import RecordKeeping

/// The states of `Connectivity`, without a keeper.
@Suite struct RouteStateTests {
    private let start = KeeperHarness.start
    private let provider = IPAddress(v4: 0x0808_0808)

    /// Applies the result of a new route check.
    private func check(_ connectivity: inout Connectivity, _ status: RouteStatus, after seconds: Int = 0)
        -> Connectivity.Turn
    {
        let epoch = connectivity.ask()
        return connectivity.answered(status, epoch: epoch, at: start.advanced(by: .seconds(seconds)))
    }

    @Test(arguments: [RouteStatus.open, .unknown(reason: "not permitted")])
    func `a route, or a kernel that cannot be queried, opens`(status: RouteStatus) {
        var connectivity = Connectivity()
        let turns = [check(&connectivity, status), check(&connectivity, status)]
        #expect(turns == [.opened, .none] && connectivity.isOpen && connectivity.loss == nil)
    }

    @Test func `a loss is in doubt until the name is resolved and the route is checked again`() {
        var connectivity = Connectivity()
        _ = check(&connectivity, .open)
        let first = [
            check(&connectivity, .none(reason: "a"), after: 1), check(&connectivity, .none(reason: "b"), after: 2),
        ]
        #expect(first == [.doubted, .none] && connectivity.loss == nil && !connectivity.isOpen)
        let outdated = connectivity.resolved([], isUpToDate: false)
        #expect(!outdated)
        let needsCheck = connectivity.resolved([], isUpToDate: true)
        #expect(needsCheck)
        let second = check(&connectivity, .none(reason: "c"), after: 3)
        #expect(second == .lost(reason: "c"))
        #expect(connectivity.loss == SavedLoss(since: start.wall + .seconds(3), reason: "c"))
    }

    @Test(arguments: [RouteStatus.open, .unknown(reason: "not permitted")])
    func `a route that is found while its loss is in doubt leaves the state as it was`(status: RouteStatus) {
        var connectivity = Connectivity()
        _ = check(&connectivity, .open)
        let before = connectivity.state
        let turns = [check(&connectivity, .none(reason: "a"), after: 1), check(&connectivity, status, after: 2)]
        #expect(turns == [.doubted, .confirmed] && connectivity.state == before)
    }

    @Test func `a loss that stays in doubt for too long is declared`() {
        var connectivity = Connectivity()
        let nothing = connectivity.doubtExpired(at: start)
        #expect(nothing == nil)
        lose(&connectivity, "a", after: 1)
        #expect(connectivity.loss == SavedLoss(since: start.wall + .seconds(1), reason: "a"))
    }

    /// Loses the route without an answer to the second check.
    private func lose(_ connectivity: inout Connectivity, _ reason: String, after seconds: Int) {
        _ = check(&connectivity, .open)
        _ = check(&connectivity, .none(reason: reason), after: seconds)
        let lost = connectivity.doubtExpired(at: start.advanced(by: .seconds(seconds)))
        #expect(lost == reason)
    }

    @Test func `a loss keeps its beginning and gets the latest reason`() {
        var connectivity = Connectivity()
        lose(&connectivity, "a", after: 1)
        let turn = check(&connectivity, .none(reason: "b"), after: 2)
        #expect(turn == .none)
        #expect(connectivity.loss == SavedLoss(since: start.wall + .seconds(1), reason: "b"))
        let restored = check(&connectivity, .open, after: 5)
        #expect(restored == .restored(after: .seconds(4)))
    }

    @Test func `only the latest check counts`() {
        var connectivity = Connectivity()
        let old = connectivity.ask()
        let new = connectivity.ask()
        let late = connectivity.answered(.open, epoch: old, at: start)
        #expect(late == .none && connectivity.isUndecided && connectivity.state == .unasked)
        let turn = connectivity.answered(.open, epoch: new, at: start)
        #expect(turn == .opened && !connectivity.isUndecided)
    }

    @Test func `a missing route is not a loss until the provider's name is resolved`() {
        var connectivity = Connectivity()
        let before = check(&connectivity, .none(reason: "no route"))
        #expect(before == .none && connectivity.state == .unasked)
        let needsCheck = connectivity.resolved([], isUpToDate: true)
        #expect(needsCheck, "now it is a loss")
        let after = check(&connectivity, .none(reason: "no route"))
        #expect(after == .lost(reason: "no route"))
    }

    @Test func `new addresses need a new check, and the same ones in another order do not`() {
        var connectivity = Connectivity()
        let other = IPAddress(v4: 0x0101_0101)
        let needsCheck = [[provider, other], [other, provider], [], [provider]].map {
            connectivity.resolved($0, isUpToDate: true)
        }
        #expect(needsCheck == [true, false, false, true])
        #expect(connectivity.targets == [provider])
    }

    @Test func `a restored loss begins now at the latest`() {
        var connectivity = Connectivity()
        connectivity.restore(SavedLoss(since: start.wall + .seconds(60), reason: "no route"), at: start)
        let turn = check(&connectivity, .open, after: 2)
        #expect(turn == .restored(after: .seconds(2)))
    }
}
