import Dispatch
import RecordKeeping
import Synchronization
import Testing

@testable import Daemon

@Suite struct AnnouncerTests {
    private final class Journal: Sendable {
        let queue = DispatchQueue(label: "test")
        let messages = Mutex<[String]>([])
        let tally = Tally()

        func announcer(_ conditions: RateLimit) -> Announcer {
            Announcer(queue: queue, conditions: conditions, addresses: RateLimit(atOnce: 2, interval: .seconds(3_600)))
            {
                [self] alert in
                messages.withLock { $0.append(alert.message) }
                tally.note()
            }
        }
    }

    private static func event(_ kind: PublishedEvent.Kind, _ seq: Int64, address: String? = nil) throws
        -> PublishedEvent
    {
        PublishedEvent(
            seq: seq, at: WallTime(milliseconds: 0), kind: kind, address: try address.map { try IPAddress($0) },
            message: "m\(seq)")
    }

    @Test func `if a route flaps, the first alerts and the final state are logged`() throws {
        let journal = Journal()
        let announcer = journal.announcer(RateLimit(atOnce: 2, interval: .milliseconds(50)))
        let events = try (1...101).map { try Self.event($0 % 2 == 1 ? .networkLost : .networkRestored, Int64($0)) }
        journal.queue.sync { for event in events { announcer.announce(event) } }
        #expect(journal.tally.wait(for: 3))
        #expect(
            journal.messages.withLock { $0 } == [
                "network lost: m1", "network restored: m2",
                "network lost: m101 (98 similar alerts omitted; see ipctl monitor --after 2)",
            ])
        // When the rate limit permits, alerts are logged again as they occur.
        let later = try Self.event(.networkRestored, 102)
        let room = Tally()
        journal.queue.asyncAfter(deadline: .now() + .milliseconds(200)) { room.note() }
        #expect(room.wait(for: 1))
        journal.queue.sync { announcer.announce(later) }
        #expect(journal.messages.withLock { $0.last } == "network restored: m102")
    }

    @Test func `one family does not silence another, and held alerts are logged at the end`() throws {
        let journal = Journal()
        let announcer = journal.announcer(RateLimit(atOnce: 1, interval: .seconds(3_600)))
        let failures = try (1...5).map { try Self.event(.failed, Int64($0), address: "192.0.2.\($0)") }
        let (lost, failed) = (try Self.event(.networkLost, 6), try Self.event(.providerFailed, 7))
        journal.queue.sync {
            for event in failures + [lost, failed] { announcer.announce(event) }
            announcer.end()
        }
        #expect(
            journal.messages.withLock { $0 } == [
                "192.0.2.1 could not be scanned: m1", "192.0.2.2 could not be scanned: m2", "network lost: m6",
                "the provider is failing: m7",
                "192.0.2.5 could not be scanned: m5 (2 similar alerts omitted; see ipctl monitor --after 2)",
            ])
    }

    @Test func `an alert that is held back is not marked as logged`() throws {
        let journal = Journal()
        let announcer = journal.announcer(RateLimit(atOnce: 1, interval: .seconds(3_600)))
        let commit = Commit(id: Commit.ID(number: 1), writes: [.networkLoss(nil), .alertsLogged(through: 9)])
        try journal.queue.sync {
            announcer.announce(try Self.event(.networkLost, 5))
            #expect(announcer.firstUnloggedSeq == nil)
            #expect(commit.markingAlerts(below: announcer.firstUnloggedSeq) == commit)
            announcer.announce(try Self.event(.networkRestored, 7))
            announcer.announce(try Self.event(.networkLost, 8))
            #expect(announcer.firstUnloggedSeq == 7, "the first omitted alert")
            let marked = commit.markingAlerts(below: announcer.firstUnloggedSeq)
            #expect(marked.writes == [.networkLoss(nil), .alertsLogged(through: 6)])
            announcer.end()
            #expect(announcer.firstUnloggedSeq == nil)
        }
    }
}
