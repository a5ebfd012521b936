import Control
import RecordKeeping
import Testing
import Varlink

@testable import ipctl

@Suite struct ExitStatusTests {
    /// The contract's numbers.
    @Test func `the numbers are those of the contract`() {
        #expect(ExitStatus.done.rawValue == 0)
        #expect(ExitStatus.notAsAsked.rawValue == 1)
        #expect(ExitStatus.usage.rawValue == 64)
        #expect(ExitStatus.badData.rawValue == 65)
        #expect(ExitStatus.noDaemon.rawValue == 69)
        #expect(ExitStatus.tryLater.rawValue == 75)
        #expect(ExitStatus.notPermitted.rawValue == 77)
    }

    @Test(
        arguments: [
            (.invalidAddress("8.8.8", reason: "why"), .badData), (.notWatched("192.0.2.1"), .notAsAsked),
            (.invalidSearch("why"), .usage), (.invalidCursor, .badData), (.eventsGone(oldest: 7), .badData),
            (.tooMany(limit: 10), .tryLater), (.reloadFailed("why"), .badData), (.storeFailed("why"), .tryLater),
            (.service(.permissionDenied), .notPermitted), (.service(.invalidParameter("tags")), .usage),
            (.service(.methodNotFound("a.B")), .software), (.service(.methodNotImplemented("a.B")), .software),
            (.service(.interfaceNotFound("a")), .software), (.unknown("com.example.Odd"), .software),
        ] as [(ControlError, ExitStatus)])
    func `each error of the daemon has its exit status and a text`(error: ControlError, status: ExitStatus) {
        let complaint = Complaint(error, from: "/run/a.sock")
        #expect(complaint.status == status)
        #expect(!complaint.message.isEmpty)
        #expect(!complaint.message.contains("Optional"))
    }

    @Test(
        arguments: [
            (.invalidAddress("8.8.8", reason: "four parts"), "\"8.8.8\" is no IP address: four parts"),
            (.notWatched("192.0.2.1"), "ipctl add 192.0.2.1"), (.eventsGone(oldest: 7), "--after 6"),
            (.tooMany(limit: 10_000), "10,000"), (.storeFailed("disk full"), "disk full"),
            (.service(.permissionDenied), "sudo"), (.service(.invalidParameter("tags")), "64 bytes"),
            (.service(.invalidParameter("note")), "1000 bytes"), (.service(.invalidParameter("kinds")), "networkLost"),
            (.service(.interfaceNotFound("a")), "/run/a.sock"), (.unknown("com.example.Odd"), "com.example.Odd"),
        ] as [(ControlError, String)])
    func `a complaint says what to do`(error: ControlError, part: String) {
        let complaint = Complaint(error, from: "/run/a.sock")
        #expect("\(complaint.message)\n\(complaint.advice)".contains(part))
    }

    @Test func `a record is an answer, be it stale`() throws {
        for state in [EntryState.fresh, .stale] {
            let entry = try Sample.entry(state, record: Sample.record, scanned: -1, failure: .offline)
            #expect(ExitStatus(of: [entry]) == .done)
        }
    }

    @Test func `no record is not as asked, and one that may come is for later`() throws {
        #expect(ExitStatus(of: [try Sample.entry(.empty, scanned: -1, reason: "private range")]) == .notAsAsked)
        #expect(ExitStatus(of: [try Sample.entry(.loading)]) == .tryLater)
        let passing: Set<Failure.Kind> = [.offline, .unreachable, .timeout, .throttled]
        for kind in Failure.Kind.allCases {
            let status = ExitStatus(of: [try Sample.entry(.failed, failure: kind)])
            #expect(status == (passing.contains(kind) ? .tryLater : .notAsAsked), "\(kind)")
        }
    }

    @Test func `of several the one that a script has to know of counts`() throws {
        let good = try Sample.entry(.fresh, record: Sample.record, scanned: -1)
        let (empty, loading) = (try Sample.entry(.empty, scanned: -1), try Sample.entry(.loading))
        #expect(ExitStatus(of: [good, good]) == .done)
        #expect(ExitStatus(of: [good, empty, good]) == .notAsAsked)
        #expect(ExitStatus(of: [loading, good, empty]) == .tryLater)
    }
}
