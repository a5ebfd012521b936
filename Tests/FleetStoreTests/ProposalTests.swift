import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import RecordKeeping
import Testing

@testable import FleetStore

/// The changes that clients of followers request.
@Suite(.server, .timeLimit(.minutes(2)))
struct ProposalTests {
    private static func proposals(_ count: Int) -> [Proposal] {
        (0..<count).map { number in
            Proposal(id: .random(), node: NodeID("b"), user: .max - UInt32(number), body: [UInt8(number), 0, 255])
        }
    }

    private static func outcomes(_ proposals: [Proposal]) -> [ProposalOutcome] {
        proposals.enumerated().map { ProposalOutcome(id: $1.id, reply: [UInt8($0)]) }
    }

    @Test func `a proposal is made once, and its outcome is in the journal`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let proposals = Self.proposals(3)
        for _ in 0..<2 {
            #expect(
                try await fleet.observer.perform(.propose(proposals, incarnation: fence.incarnation, in: fleet.key))
                    .get())
        }
        #expect(try await fleet.poll().proposals == proposals)
        let outcomes = Self.outcomes(Array(proposals[...1])).reversed()
        let row = try await fleet.next(fence, outcomes: Array(outcomes))
        try await fleet.observer.perform(.append(row, behind: fence, in: fleet.key)).get()
        // A late message.
        #expect(
            try await fleet.observer.perform(.propose(proposals, incarnation: fence.incarnation, in: fleet.key)).get())
        let poll = try await fleet.poll()
        #expect(poll.rows == [row] && poll.proposals == [proposals[2]])
        let again = try await fleet.next(fence, outcomes: Self.outcomes(proposals))
        #expect(
            await fleet.observer.perform(try .append(again, behind: fence, in: fleet.key)).failure
                == .query(.outcomesKnown(proposals[...1].map(\.id).sorted())))
        #expect(try await fleet.poll().last == row.cursor)
    }

    @Test func `a withdrawn proposal is never made`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let proposals = Self.proposals(3)
        #expect(
            try await fleet.observer.perform(
                .propose(Array(proposals[...1]), incarnation: fence.incarnation, in: fleet.key)
            ).get())
        let row = try await fleet.next(fence, outcomes: Self.outcomes([proposals[0]]))
        try await fleet.observer.perform(.append(row, behind: fence, in: fleet.key)).get()
        let withdrawn = proposals[1...].map(\.id).sorted()
        // The reply to the first one may have been lost.
        for _ in 0..<2 {
            #expect(
                await fleet.observer.perform(try .withdraw(proposals.map(\.id), in: fleet.key)) == .success(withdrawn))
        }
        // The third proposal arrives only now.
        #expect(
            try await fleet.observer.perform(.propose(proposals, incarnation: fence.incarnation, in: fleet.key)).get())
        #expect(try await fleet.poll().proposals == [])
        let late = try await fleet.next(fence, outcomes: Self.outcomes(proposals))
        #expect(
            await fleet.observer.perform(try .append(late, behind: fence, in: fleet.key)).failure
                == .query(.outcomesKnown(proposals.map(\.id).sorted())))
        #expect(try await fleet.poll().rows == [row])
    }

    @Test(arguments: [true, false])
    func `a withdrawal waits for the commit with the outcome`(isCommitted: Bool) async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let proposals = Self.proposals(2)
        #expect(
            try await fleet.observer.perform(.propose(proposals, incarnation: fence.incarnation, in: fleet.key)).get())
        let (leader, follower) = (fleet.connect(), fleet.connect())
        let session = try await follower.session()
        let row = try await fleet.next(fence, outcomes: Self.outcomes(proposals))
        try await leader.open(.append(row, behind: fence, in: fleet.key))
        let outcome = follower.begin(try .withdraw(proposals.map(\.id), in: fleet.key))
        try await fleet.wait(until: session, waitsFor: "Lock")
        try await leader.run(isCommitted ? "COMMIT" : "ROLLBACK")
        #expect(await outcome.value == .success(isCommitted ? [] : proposals.map(\.id).sorted()))
        #expect(try await fleet.poll().proposals == [])
    }

    @Test func `a commit waits for a withdrawal`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let proposals = Self.proposals(2)
        let (leader, follower) = (fleet.connect(), fleet.connect())
        let session = try await leader.session()
        try await follower.open(.withdraw([proposals[1].id], in: fleet.key))
        let row = try await fleet.next(fence, outcomes: Self.outcomes(proposals))
        let outcome = leader.begin(try .append(row, behind: fence, in: fleet.key))
        try await fleet.wait(until: session, waitsFor: "Lock")
        try await follower.run("COMMIT")
        #expect(await outcome.value.failure == .query(.outcomesKnown([proposals[1].id])))
        #expect(try await fleet.poll().last == .start)
    }

    @Test func `a withdrawal in an idle journal is kept`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        try await fleet.append(1, fence)
        let last = try await fleet.poll().last
        let proposals = Self.proposals(1)
        #expect(
            await fleet.observer.perform(try .withdraw(proposals.map(\.id), in: fleet.key))
                == .success(proposals.map(\.id)))
        // The position of a day ago is that of the last row.
        let sweep = Sweep(journal: last, outcomes: last.seq, history: last.seq, limit: 9)
        _ = try await fleet.observer.perform(.sweep(sweep, behind: fence, in: fleet.key)).get()
        // A late message.
        #expect(
            try await fleet.observer.perform(.propose(proposals, incarnation: fence.incarnation, in: fleet.key)).get())
        #expect(try await fleet.poll().proposals == [])
    }

    @Test func `sweeps with one mark delete everything before it`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        for _ in 0..<2 {
            let row = try await fleet.next(fence, outcomes: Self.outcomes(Self.proposals(7)))
            try await fleet.observer.perform(.append(row, behind: fence, in: fleet.key)).get()
        }
        let mark = try await fleet.poll().rows[1]
        try await fleet.append(1, fence)
        var deleted: [Int] = []
        while deleted.last != 0 {
            let sweep = Sweep(journal: mark.cursor, outcomes: mark.seq, history: mark.seq, limit: 4)
            deleted.append(try await fleet.observer.perform(.sweep(sweep, behind: fence, in: fleet.key)).get())
        }
        #expect(deleted == [5, 4, 4, 2, 0])
        #expect(try await fleet.poll(after: mark.cursor).rows.map(\.seq) == [3])
    }

    @Test func `a sweep deletes old outcomes, and proposals that arrived during their withdrawal`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let proposals = Self.proposals(3)
        try await fleet.append(1, fence)
        let (first, second) = (fleet.connect(), fleet.connect())
        try await first.open(.withdraw([proposals[0].id], in: fleet.key))
        #expect(try await second.perform(.propose(proposals, incarnation: fence.incarnation, in: fleet.key)).get())
        try await first.run("COMMIT")
        #expect(try await fleet.poll().proposals == Array(proposals[1...]))
        // The row whose number the withdrawal has.
        try await fleet.append(1, fence)
        let row = try await fleet.next(fence, outcomes: Self.outcomes([proposals[1]]))
        try await fleet.observer.perform(.append(row, behind: fence, in: fleet.key)).get()
        func sweep(outcomesThrough seq: Int64) async throws -> Int {
            try await fleet.observer.perform(
                .sweep(Sweep(journal: row.cursor, outcomes: seq, history: 0, limit: 9), behind: fence, in: fleet.key)
            ).get()
        }
        #expect(try await sweep(outcomesThrough: 0) == 2)
        let count = """
            SELECT (SELECT count(*) FROM iprecord.outcome WHERE fleet = \(fleet.key.number)),
              (SELECT count(*) FROM iprecord.proposal WHERE fleet = \(fleet.key.number))
            """
        #expect(try await fleet.observer.results(.script(count)).rows == [[.integer(2), .integer(1)]])
        #expect(try await sweep(outcomesThrough: 1) == 0)
        #expect(try await sweep(outcomesThrough: 2) == 1)
        #expect(try await fleet.observer.results(.script(count)).rows == [[.integer(1), .integer(1)]])
    }

    @Test func `a proposal that arrived during its commit is not made again after its outcome was deleted`()
        async throws
    {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let proposals = Self.proposals(1)
        let (leader, follower) = (fleet.connect(), fleet.connect())
        let first = try await fleet.next(fence, outcomes: Self.outcomes(proposals))
        try await leader.open(.append(first, behind: fence, in: fleet.key))
        #expect(try await follower.perform(.propose(proposals, incarnation: fence.incarnation, in: fleet.key)).get())
        try await leader.run("COMMIT")
        try await fleet.append(1, fence)
        let sweep = Sweep(journal: first.cursor, outcomes: first.seq, history: 0, limit: 9)
        #expect(try await fleet.observer.perform(.sweep(sweep, behind: fence, in: fleet.key)).get() == 1)
        #expect(try await fleet.poll().proposals == [])
    }

    @Test func `a poll limits the bytes of proposals`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        let proposals = (0..<5).map { number in
            Proposal(
                id: .random(), node: NodeID("b"), user: 1, body: Array(repeating: UInt8(number), count: number * 100))
        }
        #expect(
            try await fleet.observer.perform(.propose(proposals, incarnation: fence.incarnation, in: fleet.key)).get())
        let poll = try FleetOperation.poll(
            after: .start, limit: 500, byteLimit: 101, withProposals: true, in: fleet.key)
        #expect(try await fleet.observer.perform(poll).get().proposals == Array(proposals[...2]))
        #expect(try await fleet.poll(limit: 4).proposals == Array(proposals[...3]))
    }

    @Test func `a poll has only the outcomes of its rows, and counts their bytes`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        var rows: [JournalRow] = []
        for number in 0..<4 {
            let outcomes = Self.proposals(2).map {
                ProposalOutcome(id: $0.id, reply: Array(repeating: UInt8(number), count: 100))
            }
            let row = try await fleet.next(fence, body: [UInt8](repeating: 0, count: 50), outcomes: outcomes)
            try await fleet.observer.perform(.append(row, behind: fence, in: fleet.key)).get()
            rows.append(row)
        }
        let poll = try FleetOperation.poll(
            after: .start, limit: 500, byteLimit: 251, withProposals: false, in: fleet.key)
        #expect(try await fleet.observer.perform(poll).get().rows == Array(rows[...1]))
        let results = try await fleet.observer.results(poll.request).results
        #expect(results.last?.rows.count == 4)
    }

    @Test func `rows after deleted ones have their outcomes`() async throws {
        let fleet = try await TestFleet()
        let fence = try await fleet.leader()
        try await fleet.append(3, fence)
        let last = try await fleet.poll().last
        let row = JournalRow.following(last, fence, outcomes: Self.outcomes(Self.proposals(2)))
        try await fleet.observer.perform(.append(row, behind: fence, in: fleet.key)).get()
        let sweep = Sweep(journal: row.cursor, outcomes: 0, history: 0, limit: 9)
        #expect(try await fleet.observer.perform(.sweep(sweep, behind: fence, in: fleet.key)).get() == 3)
        let poll = try await fleet.poll(after: .start, limit: 1)
        #expect(poll.rows == [row] && poll.cursorID == nil)
    }
}
