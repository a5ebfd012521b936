import Testing

@testable import RecordKeeping

@Suite struct UnreportedLossesTests {
    private func second(_ second: Int) -> BootTime { BootTime(nanoseconds: 0) + .seconds(second) }

    @Test func `a loss counts until its call must have arrived`() {
        var losses = UnreportedLosses()
        for arrival in [2, 4, 6] { losses.add(arrivingBy: second(arrival), keeping: .seconds(60), at: second(1)) }
        #expect(losses.count(arrivingAfter: second(1)) == 3)
        #expect(losses.count(arrivingAfter: second(4)) == 1)
    }

    @Test func `a reply resolves all losses, and misses those that may arrive after its call`() {
        var losses = UnreportedLosses()
        for arrival in [2, 4, 6] { losses.add(arrivingBy: second(arrival), keeping: .seconds(60), at: second(1)) }
        #expect(losses.resolve(sentAt: second(4)) == [second(6)])
        #expect(losses == UnreportedLosses())
    }

    @Test func `a loss is dropped one window after its arrival`() {
        var losses = UnreportedLosses()
        losses.add(arrivingBy: second(2), keeping: .seconds(60), at: second(0))
        losses.add(arrivingBy: second(64), keeping: .seconds(60), at: second(62))
        #expect(losses.count(arrivingAfter: second(0)) == 2)
        losses.add(arrivingBy: second(65), keeping: .seconds(60), at: second(63))
        #expect(losses.count(arrivingAfter: second(0)) == 2)
    }
}
