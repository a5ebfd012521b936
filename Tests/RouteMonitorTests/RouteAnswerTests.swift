import RecordKeeping
import RouteMonitor
import Testing

@Suite struct RouteAnswerTests {
    private static func way(_ answers: RouteAnswer...) -> Way {
        RouteAnswer.way(of: answers) { $0 == 3 ? "wan" : nil }
    }

    @Test func `one way is enough`() {
        #expect(Self.way(.noWay(.noRoute), .unusable("x"), .way) == .open)
    }

    @Test func `the most telling reason is told`() {
        #expect(Self.way(.noWay(.noCarrier(interface: 3)), .noWay(.unreachable)) == .none(reason: "no carrier: wan"))
        #expect(Self.way(.noWay(.noRoute), .noWay(.prohibited)) == .none(reason: "prohibited by a route or rule"))
        #expect(Self.way(.noWay(.familyMissing), .noWay(.noRoute)) == .none(reason: "no route"))
    }

    @Test func `an interface that is gone is told by its number`() {
        #expect(Self.way(.noWay(.linkDown(interface: 9))) == .none(reason: "link down: interface 9"))
    }

    @Test func `an answer of no use makes it unknown where nothing else leads there`() {
        #expect(Self.way(.noWay(.noRoute), .unusable("broken")) == .unknown(reason: "broken"))
    }

    @Test func `a kernel without the family does not prove that there is no way`() {
        #expect(Self.way(.noWay(.familyMissing)) == .unknown(reason: "the kernel answers no questions about routes"))
    }

    @Test func `no address is no question`() {
        #expect(Self.way() == .unknown(reason: "there is no address to ask the kernel about"))
    }
}
