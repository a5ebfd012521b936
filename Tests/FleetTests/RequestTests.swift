import RecordKeeping
import Testing

@testable import Fleet

/// The changes that clients request.
struct RequestTests {
    private static let request = RequestID(1)

    private func proposing() throws -> (MemberHarness, Proposal) {
        let harness = MemberHarness()
        (harness.fleet.term, harness.fleet.leader) = (1, MemberHarness.other)
        harness.register()
        harness.answerPoll()
        harness.handle(.requested(Self.request, user: 3, body: [8], until: harness.now + .seconds(5)))
        guard case .propose(let proposals, incarnation: MemberHarness.incarnation)? = harness.query(.write) else {
            throw Missing.proposal
        }
        return (harness, try #require(proposals.first))
    }

    private enum Missing: Error { case proposal }

    /// Returns a follower that has read the outcome of its proposal, and applied it.
    private func applied() throws -> (MemberHarness, Proposal) {
        let (harness, proposal) = try proposing()
        harness.reply(.write, .changed(true))
        harness.expect(.notify)
        harness.rows = [harness.nextRow(outcomes: [ProposalOutcome(id: proposal.id, reply: [2])])]
        harness.pass(.seconds(1))
        harness.answerPoll()
        harness.expect(.apply(harness.rows, in: MemberHarness.incarnation, commit: nil))
        harness.handle(.applied(harness.rows[0].cursor))
        // The row may be lost if the standby is promoted.
        harness.expect()
        #expect(harness.query(.write) == .withdraw([proposal.id]))
        return (harness, proposal)
    }

    @Test func `a change is acknowledged once this node has applied it and its own write has succeeded`() throws {
        let (harness, _) = try applied()
        harness.reply(.write, .withdrawn([]))
        harness.expect(.conclude(Self.request, .done(reply: [2])))
    }

    @Test func `a change that was lost after it was read is not acknowledged`() throws {
        let (harness, proposal) = try applied()
        harness.reply(.write, .withdrawn([proposal.id]))
        harness.expect(.conclude(Self.request, .unreachable))
    }

    @Test func `an outcome that was read is confirmed again in another incarnation`() throws {
        let (harness, proposal) = try applied()
        harness.fleet.incarnation = Incarnation(number: 1, id: UniqueID(high: 4, low: 4))
        harness.pass(.seconds(1))
        harness.answerPoll()
        harness.expect(.saveIncarnation(harness.fleet.incarnation))
        harness.fail(.write, .outcomeUnknown(reason: "lost"))
        harness.pass(.milliseconds(500))
        #expect(harness.query(.write) == .withdraw([proposal.id]))
    }

    @Test func `the outcome is unknown if it cannot be confirmed`() throws {
        let (harness, _) = try applied()
        harness.fail(.write, .outcomeUnknown(reason: "lost"))
        harness.pass(.seconds(14))
        harness.expect(.conclude(Self.request, .unknown))
    }

    @Test func `a change that was withdrawn is not made`() throws {
        let (harness, proposal) = try proposing()
        harness.reply(.write, .changed(true))
        harness.expect(.notify)
        harness.pass(.seconds(5))
        #expect(harness.query(.write) == .withdraw([proposal.id]))
        harness.reply(.write, .withdrawn([proposal.id]))
        harness.expect(.conclude(Self.request, .unreachable))
    }

    @Test func `the outcome is unknown if the database is unreachable`() throws {
        let (harness, _) = try proposing()
        harness.fail(.write, .outcomeUnknown(reason: "lost"))
        harness.pass(.seconds(5))
        harness.fail(.write, .notSent(reason: "refused"))
        harness.pass(.seconds(9))
        harness.expect(.alert(.fleetLost(reason: "refused")))
        harness.pass(.seconds(1))
        harness.expect(.conclude(Self.request, .unknown))
    }

    @Test func `large requests are proposed one after another`() throws {
        let harness = MemberHarness()
        (harness.fleet.term, harness.fleet.leader) = (1, MemberHarness.other)
        harness.register()
        harness.answerPoll()
        let until = harness.now + .seconds(5)
        let sizes = [1, 5 << 20, 3 << 20, 9 << 20, 1]
        for (index, size) in sizes.enumerated() {
            let body = [UInt8](repeating: 0, count: size)
            harness.handle(.requested(RequestID(Int64(index)), user: 3, body: body, until: until))
        }
        var proposed: [[Int]] = []
        while case .propose(let proposals, _)? = harness.query(.write), proposed.count < sizes.count {
            proposed.append(proposals.map(\.body.count))
            harness.reply(.write, .changed(true))
            // At most one notification per 100 ms.
            if proposed.count == 1 { harness.expect(.notify) }
        }
        #expect(proposed == [[1], [5 << 20, 3 << 20], [9 << 20], [1]])
    }

    @Test func `a change that never left the node is not made`() {
        let harness = MemberHarness()
        harness.handle(.started)
        harness.handle(.requested(Self.request, user: 3, body: [8], until: harness.now + .seconds(1)))
        harness.pass(.seconds(1))
        harness.expect(.conclude(Self.request, .unreachable))
    }

    @Test func `a leader runs its own changes and proposals once`() throws {
        let harness = MemberHarness()
        _ = try #require(harness.lead())
        harness.handle(.requested(Self.request, user: 3, body: [8], until: harness.now + .seconds(5)))
        guard case .execute(let own)? = harness.dequeueEffects().first else { throw Missing.proposal }
        #expect(own.body == [8])
        let other = Proposal(id: UniqueID(high: 3, low: 3), node: NodeID("b"), user: 1, body: [9])
        harness.proposals = [other]
        harness.pass(.seconds(1))
        harness.answerPoll()
        harness.expect(.execute(other))
        harness.pass(.seconds(1))
        harness.answerPoll()
        harness.expect()
    }

    @Test func `one user cannot use up the node's requests`() {
        let harness = MemberHarness()
        harness.handle(.started)
        for number in 1...Int64(FleetLimits.maxRequestsPerUser) {
            harness.handle(
                .requested(RequestID(number), user: 3, body: [], until: harness.now + .seconds(60)))
        }
        harness.handle(.requested(RequestID(1_000), user: 3, body: [], until: harness.now + .seconds(60)))
        harness.expect(.conclude(RequestID(1_000), .tooMany))
        harness.handle(.requested(RequestID(1_001), user: 4, body: [], until: harness.now + .seconds(60)))
    }
}
