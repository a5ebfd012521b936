import Logging
import RecordKeeping
import Testing

@testable import Daemon

/// The log of the clients' changes to the watch list.
@Suite struct ClientChangeLogTests {
    private let log = LoggedLines()
    private let id = Request.ID(peer: PeerID(number: 1), number: 1)

    private func changeLog(_ limit: RateLimit = RateLimit(atOnce: 100, interval: .seconds(1))) -> ClientChangeLog {
        ClientChangeLog(log.logger, rateLimit: limit)
    }

    private static func addresses(_ count: UInt32) -> [IPAddress] {
        (1...count).map { IPAddress(v4: 0xC000_0200 + $0) }
    }

    private func logged(_ body: Request.Body, _ response: Response) -> [String] {
        var changes = changeLog()
        changes.note(Request(id: id, isByAdministrator: true, user: 1_000, body: body))
        changes.answered(id, response, at: BootTime(nanoseconds: 0))
        return log.entries.map(\.text)
    }

    @Test(
        arguments: [
            (.add(addresses(1), tags: [], note: nil), .added(1, already: 0), "user 1000 added 192.0.2.1"),
            (
                .add(addresses(3), tags: [], note: nil), .added(2, already: 1),
                "user 1000 added 2 of 3 addresses: 192.0.2.1, 192.0.2.2, 192.0.2.3"
            ),
            (.add(addresses(1), tags: ["a"], note: nil), .added(0, already: 1), "user 1000 set labels of 192.0.2.1"),
            (
                .remove(addresses(12)), .removed(12),
                "user 1000 removed 12 addresses: " + addresses(10).map { "\($0)" }.joined(separator: ", ")
                    + " and 2 more"
            ),
            (.label(addresses(1), LabelChange()), .labelled(1), "user 1000 changed the labels of 192.0.2.1"),
        ] as [(Request.Body, Response, String)])
    func `each change has one line with its user and its addresses`(
        body: Request.Body, response: Response, line: String
    ) {
        #expect(logged(body, response) == [line])
    }

    @Test(
        arguments: [
            (.add(addresses(1), tags: [], note: nil), .added(0, already: 1)),
            (.add(addresses(1), tags: [], note: nil), .refused(.permissionDenied)),
            (.remove(addresses(1)), .removed(0)), (.remove(addresses(1)), .refused(.storeFailed("disk full"))),
            (.label(addresses(1), LabelChange()), .labelled(0)),
            (.add([], tags: ["a"], note: nil), .added(0, already: 0)),
            (.refresh(nil), .refreshing(1, fresh: 0)),
        ] as [(Request.Body, Response)])
    func `a request that changes nothing is not logged`(body: Request.Body, response: Response) {
        #expect(logged(body, response) == [])
    }

    @Test func `user, event and address are fields of the journal`() throws {
        _ = logged(.add(Self.addresses(1), tags: [], note: nil), .added(1, already: 0))
        let fields = try #require(log.entries.first?.fields)
        #expect(fields == ["IPRECORD_EVENT": "added", "IPRECORD_USER": "1000", "IPRECORD_ADDRESS": "192.0.2.1"])
    }

    @Test func `changes beyond the rate limit are counted`() {
        var changes = changeLog(RateLimit(atOnce: 1, interval: .seconds(1)))
        for second in [0, 0, 0, 5] as [Int64] {
            changes.note(Request(id: id, isByAdministrator: true, user: 0, body: .remove(Self.addresses(1))))
            changes.answered(id, .removed(1), at: BootTime(nanoseconds: second * 1_000_000_000))
        }
        #expect(
            log.entries.map(\.text) == [
                "user 0 removed 192.0.2.1", "user 0 removed 192.0.2.1 (2 earlier changes not logged)",
            ])
    }
}
