import Logging
import RecordKeeping
import Synchronization
import Testing

@testable import Daemon

/// The log of the clients' changes to the watch list.
@Suite struct ClientChangeLogTests {
    /// The lines of a log, each with its journal fields.
    private final class Lines: Sendable {
        let all = Mutex<[(text: String, fields: Logger.Metadata)]>([])

        var texts: [String] { all.withLock { $0.map(\.text) } }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.all.withLock { $0.append((event.message.description, event.metadata ?? [:])) }
        }
    }

    private let lines = Lines()
    private let id = Request.ID(peer: PeerID(number: 1), number: 1)

    private func changeLog(_ limit: RateLimit = RateLimit(atOnce: 100, interval: .seconds(1))) -> ClientChangeLog {
        ClientChangeLog(Logger(label: "test") { [lines] _ in Handler(lines: lines) }, rateLimit: limit)
    }

    private static func addresses(_ count: UInt32) -> [IPAddress] {
        (1...count).map { IPAddress(v4: 0xC000_0200 + $0) }
    }

    private func logged(_ body: Request.Body, _ response: Response) -> [String] {
        var log = changeLog()
        log.note(Request(id: id, isByAdministrator: true, user: 1_000, body: body))
        log.answered(id, response, at: BootTime(nanoseconds: 0))
        return lines.texts
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
        let fields = try #require(lines.all.withLock { $0.first?.fields })
        #expect(fields == ["IPRECORD_EVENT": "added", "IPRECORD_USER": "1000", "IPRECORD_ADDRESS": "192.0.2.1"])
    }

    @Test func `changes beyond the rate limit are counted`() {
        var log = changeLog(RateLimit(atOnce: 1, interval: .seconds(1)))
        for second in [0, 0, 0, 5] as [Int64] {
            log.note(Request(id: id, isByAdministrator: true, user: 0, body: .remove(Self.addresses(1))))
            log.answered(id, .removed(1), at: BootTime(nanoseconds: second * 1_000_000_000))
        }
        #expect(lines.texts == ["user 0 removed 192.0.2.1", "user 0 removed 192.0.2.1 (2 earlier changes not logged)"])
    }
}
