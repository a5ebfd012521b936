import RecordKeeping
import RouteMonitor
import Testing

@Suite struct RouteAnswerTests {
    private static func status(_ answers: RouteAnswer...) -> RouteStatus {
        RouteAnswer.status(of: answers) { $0 == 3 ? "wan" : nil }
    }

    @Test func `one route is sufficient`() {
        #expect(Self.status(.noRoute(.noRoute), .unusable("x"), .route) == .open)
    }

    @Test func `the reason with the highest weight is reported`() {
        #expect(
            Self.status(.noRoute(.noCarrier(interface: 3)), .noRoute(.unreachable)) == .none(reason: "no carrier: wan"))
        #expect(
            Self.status(.noRoute(.noRoute), .noRoute(.prohibited)) == .none(reason: "prohibited by a route or rule"))
        #expect(Self.status(.noRoute(.familyMissing), .noRoute(.noRoute)) == .none(reason: "network is unreachable"))
    }

    @Test func `a deleted interface is reported by its index`() {
        #expect(Self.status(.noRoute(.linkDown(interface: 9))) == .none(reason: "link down: interface 9"))
    }

    @Test func `an unusable answer makes the result unknown if there is no route`() {
        #expect(Self.status(.noRoute(.noRoute), .unusable("broken")) == .unknown(reason: "broken"))
    }

    @Test func `a missing address family alone does not prove that there is no route`() {
        #expect(
            Self.status(.noRoute(.familyMissing)) == .unknown(reason: "the kernel does not answer route queries"))
    }

    @Test func `without addresses the result is unknown`() {
        #expect(Self.status() == .unknown(reason: "no address to check"))
    }
}
