import Testing

@testable import RecordKeeping

@Suite struct OutageLogTests {
    private func second(_ second: Int) -> WallTime { WallTime(milliseconds: 0) + .seconds(second) }

    @Test func `an outage ends the one before it`() {
        var log = OutageLog()
        log.begin(.provider, "timeout", deferred: 0, at: second(1))
        log.begin(.network, "no route", deferred: 2, at: second(5))
        #expect(log.ended.map(\.until) == [second(5)])
        #expect(log.current == Outage(number: 2, since: second(5), cause: .network, message: "no route", deferred: 2))
        #expect(log.lastEnded == 1)
        log.end(at: second(9))
        #expect(log.lastEnded == 2 && log.current == nil && log.unsaved.map(\.number) == [1, 2])
    }

    @Test func `two outages do not begin at the same time, and none ends before it began`() {
        var log = OutageLog()
        log.begin(.network, "a", deferred: 0, at: second(1))
        log.begin(.network, "b", deferred: 0, at: second(1))
        #expect(log.current?.since == second(1) + .milliseconds(1))
        log.end(at: second(0))
        #expect(log.ended.last?.until == log.ended.last?.since)
    }

    @Test func `a new reason is added to the first one, if the cause is the same`() {
        var log = OutageLog()
        log.begin(.provider, "timeout", deferred: 0, at: second(1))
        log.restate(.network, "no route")
        #expect(log.current?.message == "timeout")
        log.restate(.provider, "refused")
        log.restate(.provider, "rejected")
        #expect(log.current?.message == "timeout; then rejected")
    }

    @Test func `deferred refreshes are counted during an outage only`() {
        var log = OutageLog()
        log.defer()
        #expect(log.current == nil)
        log.begin(.network, "no route", deferred: 1, at: second(1))
        log.defer()
        log.hasDeferred(atLeast: 1)
        #expect(log.current?.deferred == 2)
        log.hasDeferred(atLeast: 5)
        #expect(log.current?.deferred == 5)
    }

    @Test func `an outage is written until it is on disk as ended`() {
        var log = OutageLog()
        log.begin(.network, "a", deferred: 0, at: second(1))
        log.begin(.network, "b", deferred: 0, at: second(2))
        let old = Outage(number: 1, since: second(1), cause: .network, message: "a", deferred: 0)
        #expect(log.updated([old]).map(\.until) == [second(2)])
        log.saved([1])
        #expect(log.unsaved.map(\.number) == [2])
    }

    @Test func `a full log drops the oldest outage`() {
        var log = OutageLog()
        for number in 0...Limits.waitingEvents { log.begin(.network, "\(number)", deferred: 0, at: second(number)) }
        log.end(at: second(5_000))
        #expect(log.ended.count == Limits.waitingEvents && log.ended.first?.number == 2)
    }

    @Test func `numbers continue after a restart`() {
        var log = OutageLog()
        log.restore(Outage(number: 7, since: second(1), cause: .provider, message: "x", deferred: 3), lastNumber: 4)
        log.restate(.provider, "y")
        #expect(log.current?.message == "x; then y" && log.lastEnded == 6)
        log.begin(.network, "z", deferred: 0, at: second(9))
        #expect(log.current?.number == 8)
    }
}
