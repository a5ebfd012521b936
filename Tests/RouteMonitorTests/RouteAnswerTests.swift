import RecordKeeping
import RouteMonitor
import Testing

@Suite struct RouteAnswerTests {
    private static func way(_ answers: RouteAnswer...) -> Way {
        RouteAnswer.way(of: answers) { $0 == 3 ? "wan" : nil }
    }

    @Test func `one route is sufficient`() {
        #expect(Self.way(.noWay(.noRoute), .unusable("x"), .way) == .open)
    }

    @Test func `the reason with the highest weight is reported`() {
        #expect(Self.way(.noWay(.noCarrier(interface: 3)), .noWay(.unreachable)) == .none(reason: "no carrier: wan"))
        #expect(Self.way(.noWay(.noRoute), .noWay(.prohibited)) == .none(reason: "prohibited by a route or rule"))
        #expect(Self.way(.noWay(.familyMissing), .noWay(.noRoute)) == .none(reason: "no route"))
    }

    @Test func `a deleted interface is reported by its index`() {
        #expect(Self.way(.noWay(.linkDown(interface: 9))) == .none(reason: "link down: interface 9"))
    }

    @Test func `an unusable answer makes the result unknown if there is no route`() {
        #expect(Self.way(.noWay(.noRoute), .unusable("broken")) == .unknown(reason: "broken"))
    }

    @Test func `a missing address family alone does not prove that there is no route`() {
        #expect(Self.way(.noWay(.familyMissing)) == .unknown(reason: "the kernel answers no questions about routes"))
    }

    @Test func `without addresses the result is unknown`() {
        #expect(Self.way() == .unknown(reason: "there is no address to ask the kernel about"))
    }
}
