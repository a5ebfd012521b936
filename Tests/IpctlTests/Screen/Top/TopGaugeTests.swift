import Testing

@testable import RecordKeeping
@testable import ipctl

@Suite struct TopGaugeTests {
    @Test(
        arguments: [
            (0, "──────────"), (1, "━━━━━━━━━━"), (0.5, "━━━━━─────"), (0.55, "━━━━━╸────"), (0.001, "╸─────────"),
            (0.999, "━━━━━━━━━╸"), (-3, "──────────"), (7, "━━━━━━━━━━"),
        ] as [(Double, String)])
    func `a bar is full where all is there, and never looks so otherwise`(share: Double, text: String) {
        let bar = TopGauge.bar(share, columns: 10)
        #expect(bar.full + bar.rest == text)
    }

    @Test func `a bar is as wide as it is to be, and never grows where the share shrinks`() {
        for columns in -1...40 {
            var last = Int.max
            for share in stride(from: 1.0, through: 0, by: -0.01) {
                let bar = TopGauge.bar(share, columns: columns)
                #expect((bar.full + bar.rest).count == max(0, columns))
                let halves = 2 * bar.full.count - (bar.full.last == "╸" ? 1 : 0)
                #expect(halves <= last)
                last = halves
            }
        }
    }

    private static func gauges(_ change: (inout StatusView) -> Void = { _ in }) -> [TopGauge] {
        TopGauge.all(of: Sample.status(change), at: Sample.now)
    }

    @Test func `quotas, the load and the next refresh are told, with the seconds until a quota is anew`() {
        let gauges = Self.gauges()
        #expect(gauges.map(\.label) == ["Quota single", "Quota batch", "Load", "Refresh"])
        #expect(
            gauges.map(\.words) == ["40/45  0:30", "no limit told", "34 %", "2 due, more in 4 s, 100 asked"])
        #expect(gauges.map(\.share) == [40.0 / 45, nil, 0.335, nil])
        #expect(gauges.map(\.style) == [.good, nil, .good, nil])
        #expect(TopGauge.count(in: Sample.status()) == 4)
    }

    @Test(arguments: [
        (0, 10, Style.bad, 0.0), (3, 10, .caution, 0.3), (4, 10, .good, 0.4), (99, 10, .good, 1), (5, 0, .bad, 0),
    ])
    func `a quota that runs out is seen`(remaining: Int, limit: Int, style: Style, share: Double) {
        let gauge = Self.gauges {
            $0.provider.quotas = [.init(endpoint: .single, limit: limit, remaining: remaining, resetsAt: nil)]
        }[0]
        #expect(gauge.style == style)
        #expect(gauge.share == share)
    }

    @Test(arguments: [
        (0.5, Style.good, "50 %"), (0.9, .caution, "90 %"), (2.5, .bad, "250 %"), (1e300, .bad, "9900 %"),
    ])
    func `a load that is too much is seen`(load: Double, style: Style, words: String) {
        let gauge = Self.gauges { $0.load = load }[2]
        #expect(gauge.style == style)
        #expect(gauge.words == words)
        #expect((gauge.share ?? -1) <= 1)
    }

    @Test func `what is due is never told as nothing to refresh, and comes first`() {
        func words(_ change: (inout StatusView) -> Void) -> String? { Self.gauges(change).last?.words }
        func usedUp(_ view: inout StatusView) {
            (view.due, view.inFlight, view.nextAt) = (20_008, 0, nil)
            view.provider.quotas = [.init(endpoint: .batch, limit: 15, remaining: 0, resetsAt: Sample.wall(9))]
        }
        #expect(words(usedUp) == "20,008 due, quota in 9 s")
        #expect(words { ($0.due, $0.inFlight, $0.nextAt) = (8, 0, nil) } == "8 due")
        #expect(words { ($0.due, $0.inFlight, $0.isOnline) = (8, 0, false) } == "8 due once online")
        #expect(words { ($0.due, $0.inFlight) = (0, 0) } == "in 4 s")
        #expect(words { ($0.due, $0.inFlight, $0.nextAt) = (0, 0, nil) } == "nothing to refresh")
        #expect(words { ($0.due, $0.inFlight, $0.nextAt) = (0, 3, nil) } == "3 asked")
    }

    @Test func `where there is no load there is no gauge of it`() {
        #expect(Self.gauges { $0.load = nil }.map(\.label) == ["Quota single", "Quota batch", "Refresh"])
        #expect(TopGauge.count(in: Sample.status { $0.load = nil }) == 3)
    }
}
