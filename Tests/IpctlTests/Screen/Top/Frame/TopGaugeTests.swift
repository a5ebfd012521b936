import Testing

@testable import RecordKeeping
@testable import ipctl

@Suite struct TopGaugeTests {
    @Test(
        arguments: [
            (0, "──────────"), (1, "━━━━━━━━━━"), (0.5, "━━━━━─────"), (0.55, "━━━━━╸────"), (0.001, "╸─────────"),
            (0.999, "━━━━━━━━━╸"), (-3, "──────────"), (7, "━━━━━━━━━━"),
        ] as [(Double, String)])
    func `a bar looks full only if it is full`(share: Double, text: String) {
        let bar = TopGauge.bar(share, columns: 10)
        #expect(bar.full + bar.rest == text)
    }

    @Test func `a bar has the given width, and never grows when the share shrinks`() {
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

    @Test func `quotas, the load and the next refresh are shown, with the time to the reset of a quota`() {
        let gauges = Self.gauges()
        #expect(gauges.map(\.label) == ["Quota single", "Quota batch", "Load", "Refresh"])
        #expect(
            gauges.map(\.text) == ["40/45  0:30", "no limit reported", "34 %", "2 due, more in 4 s, 100 in flight"])
        #expect(gauges.map(\.share) == [40.0 / 45, nil, 0.335, nil])
        #expect(gauges.map(\.style) == [.good, nil, .good, nil])
        #expect(TopGauge.count(in: Sample.status()) == 4)
    }

    @Test(arguments: [
        (0, 10, TextStyle.bad, 0.0), (3, 10, .caution, 0.3), (4, 10, .good, 0.4), (99, 10, .good, 1), (5, 0, .bad, 0),
    ])
    func `a low quota is coloured`(remaining: Int, limit: Int, style: TextStyle, share: Double) {
        let gauge = Self.gauges {
            $0.provider.quotas = [.init(endpoint: .single, limit: limit, remaining: remaining, resetsAt: nil)]
        }[0]
        #expect(gauge.style == style)
        #expect(gauge.share == share)
    }

    @Test(arguments: [
        (0.5, TextStyle.good, "50 %"), (0.9, .caution, "90 %"), (2.5, .bad, "250 %"), (1e300, .bad, "9900 %"),
    ])
    func `an excessive load is coloured`(load: Double, style: TextStyle, text: String) {
        let gauge = Self.gauges { $0.load = load }[2]
        #expect(gauge.style == style)
        #expect(gauge.text == text)
        #expect((gauge.share ?? -1) <= 1)
    }

    @Test func `due refreshes come first`() {
        func text(_ change: (inout StatusView) -> Void) -> String? { Self.gauges(change).last?.text }
        func usedUp(_ view: inout StatusView) {
            (view.due, view.inFlight, view.nextAt) = (20_008, 0, nil)
            view.provider.quotas = [.init(endpoint: .batch, limit: 15, remaining: 0, resetsAt: Sample.wall(9))]
        }
        #expect(text(usedUp) == "20,008 due, quota in 9 s")
        #expect(text { ($0.due, $0.inFlight, $0.nextAt) = (8, 0, nil) } == "8 due")
        #expect(text { ($0.due, $0.inFlight, $0.isOnline) = (8, 0, false) } == "8 due once online")
        #expect(text { ($0.due, $0.inFlight) = (0, 0) } == "in 4 s")
        #expect(text { ($0.due, $0.inFlight, $0.nextAt) = (0, 0, nil) } == "nothing to refresh")
        #expect(text { ($0.due, $0.inFlight, $0.nextAt) = (0, 3, nil) } == "3 in flight")
    }

    @Test func `without a load, there is no gauge for it`() {
        #expect(Self.gauges { $0.load = nil }.map(\.label) == ["Quota single", "Quota batch", "Refresh"])
        #expect(TopGauge.count(in: Sample.status { $0.load = nil }) == 3)
    }
}
