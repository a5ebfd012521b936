import Control
import RecordKeeping
import Testing
import Varlink

@testable import ipctl

@Suite struct ExitStatusTests {
    /// The documented numbers.
    @Test func `the exit statuses have the documented numbers`() {
        #expect(ExitStatus.done.rawValue == 0)
        #expect(ExitStatus.negative.rawValue == 1)
        #expect(ExitStatus.usage.rawValue == 64)
        #expect(ExitStatus.badData.rawValue == 65)
        #expect(ExitStatus.noHost.rawValue == 68)
        #expect(ExitStatus.noDaemon.rawValue == 69)
        #expect(ExitStatus.tryLater.rawValue == 75)
        #expect(ExitStatus.notPermitted.rawValue == 77)
    }

    @Test(
        arguments: [
            (.invalidAddress("8.8.8", reason: "why"), .badData), (.notWatched("192.0.2.1"), .negative),
            (.invalidName("a_b", reason: "why"), .badData), (.nameNotWatched("a.example"), .negative),
            (.invalidSearch("why"), .usage), (.invalidCursor, .badData), (.eventsGone(oldest: 7), .badData),
            (.tooMany(limit: 10, resource: nil), .tryLater), (.reloadFailed("why"), .badData),
            (.storeFailed("why"), .tryLater),
            (.service(.permissionDenied), .notPermitted), (.service(.invalidParameter("tags")), .usage),
            (.service(.methodNotFound("a.B")), .software), (.service(.methodNotImplemented("a.B")), .software),
            (.service(.interfaceNotFound("a")), .software), (.unknown("com.example.Odd"), .software),
        ] as [(ControlError, ExitStatus)])
    func `each error of the daemon has its exit status and a text`(error: ControlError, status: ExitStatus) {
        let commandError = CommandError(error, from: "/run/a.sock")
        #expect(commandError.status == status)
        #expect(!commandError.message.isEmpty)
        #expect(!commandError.message.contains("Optional"))
    }

    @Test(
        arguments: [
            (.invalidAddress("8.8.8", reason: "four parts"), "\"8.8.8\" is not an IP address: four parts"),
            (.notWatched("192.0.2.1"), "ipctl add 192.0.2.1"), (.eventsGone(oldest: 7), "--after 6"),
            (.tooMany(limit: 10_000, resource: nil), "10,000"), (.storeFailed("disk full"), "disk full"),
            (.tooMany(limit: 10_000, resource: "lookups"), "10,000 lookups"),
            (.tooMany(limit: 1_000, resource: "listeners"), "another client has disconnected"),
            (.tooMany(limit: 7, resource: "ofALaterVersion"), "the daemon's limit of 7"),
            (.service(.permissionDenied), "sudo"), (.service(.invalidParameter("tags")), "64 bytes"),
            (.service(.invalidParameter("note")), "1000 bytes"), (.service(.invalidParameter("kinds")), "networkLost"),
            (.service(.interfaceNotFound("a")), "/run/a.sock"), (.unknown("com.example.Odd"), "com.example.Odd"),
        ] as [(ControlError, String)])
    func `an error has advice`(error: ControlError, part: String) {
        let commandError = CommandError(error, from: "/run/a.sock")
        #expect("\(commandError.message)\n\(commandError.advice)".contains(part))
    }

    @Test func `a stale record is a success`() throws {
        for state in [EntryState.fresh, .stale] {
            let entry = try Sample.entry(state, record: Sample.record, scanned: -1, failure: .offline)
            #expect(ExitStatus(of: [entry]) == .done)
        }
    }

    @Test func `only an empty entry is negative, and every failure is temporary`() throws {
        #expect(ExitStatus(of: [try Sample.entry(.empty, scanned: -1, reason: "private range")]) == .negative)
        #expect(ExitStatus(of: [try Sample.entry(.loading)]) == .tryLater)
        for kind in Failure.Kind.allCases {
            #expect(ExitStatus(of: [try Sample.entry(.failed, failure: kind)]) == .tryLater, "\(kind)")
        }
    }

    @Test func `the most severe status of several is used`() throws {
        let good = try Sample.entry(.fresh, record: Sample.record, scanned: -1)
        let (empty, loading) = (try Sample.entry(.empty, scanned: -1), try Sample.entry(.loading))
        #expect(ExitStatus(of: [good, good]) == .done)
        #expect(ExitStatus(of: [good, empty, good]) == .negative)
        #expect(ExitStatus(of: [loading, good, empty]) == .tryLater)
    }
}
