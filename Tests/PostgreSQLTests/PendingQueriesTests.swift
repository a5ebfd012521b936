import Dispatch
import Testing

@testable import PostgreSQL

/// The queue of queries, with times as numbers.
struct PendingQueriesTests {
    private static func query(_ number: Int, at deadline: UInt64 = 100) -> PendingQuery {
        PendingQuery(
            request: .script("\(number)"), limit: .seconds(1), deadline: DispatchTime(uptimeNanoseconds: deadline)
        ) { _ in }
    }

    private static func numbers(_ queries: [PendingQuery]) -> [SQLRequest] { queries.map(\.request) }

    @Test func `queries leave in the order of their arrival`() {
        var pending = PendingQueries()
        for number in 0..<1_000 {
            let isAccepted = [pending.append(Self.query(2 * number)), pending.append(Self.query(2 * number + 1))]
            #expect(isAccepted == [true, true])
            let first = pending.popFirst()
            #expect(first?.request == .script("\(number)"))
        }
        #expect(pending.count == 1_000)
        var rest: [PendingQuery] = []
        while let query = pending.popFirst() { rest.append(query) }
        #expect(Self.numbers(rest) == (1_000..<2_000).map { .script("\($0)") })
        #expect(pending.count == 0 && pending.earliestDeadline == nil)
    }

    @Test func `expired queries are removed wherever they are`() {
        var pending = PendingQueries()
        for (number, deadline) in [50, 10, 40, 20, 30].enumerated() {
            let isAccepted = pending.append(Self.query(number, at: UInt64(deadline)))
            #expect(isAccepted)
        }
        let first = pending.popFirst()
        #expect(first?.request == .script("0"))
        #expect(pending.earliestDeadline == DispatchTime(uptimeNanoseconds: 10))
        let now = DispatchTime(uptimeNanoseconds: 20)
        let (expired, later) = (pending.removeExpired(at: now), pending.removeExpired(at: now))
        #expect(Self.numbers(expired) == [.script("1"), .script("3")])
        #expect(later.isEmpty)
        #expect(pending.earliestDeadline == DispatchTime(uptimeNanoseconds: 30))
        let rest = pending.removeAll()
        #expect(Self.numbers(rest) == [.script("2"), .script("4")])
        #expect(pending.count == 0)
    }

    @Test func `the number of queries is limited`() {
        var pending = PendingQueries()
        let query = Self.query(0)
        let accepted = (0...PendingQueries.maxCount).count { _ in pending.append(query) }
        #expect(accepted == PendingQueries.maxCount)
        let first = pending.popFirst()
        let next = [pending.append(query), pending.append(query)]
        #expect(first != nil && next == [true, false])
    }
}
