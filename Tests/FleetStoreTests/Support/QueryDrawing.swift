import Fleet
import RecordKeeping
import Simulation

@testable import FleetSimulation

/// Draws queries that suit the state of a database, and others that are outdated or wrong.
struct QueryDrawing {
    private var random: Random
    private let nodes = ["a", "b", "c"].map { NodeID($0) }
    /// Values of earlier states, which late messages contain.
    private var fences: [Fence] = []
    private var appends: [(fence: Fence, row: JournalRow)] = []
    private var cursors = [JournalCursor.start]
    private var proposals: [Proposal] = []

    private enum Kind: CaseIterable {
        case readNode, register, beat, takeOver, handOver, raise, leave, poll, snapshot, append, resolve, sweep, propose
        case withdraw

        /// How often the kind is drawn.
        var weight: Int {
            switch self {
            case .append: 8
            case .propose, .beat, .takeOver: 4
            case .register, .resolve, .withdraw: 3
            case .readNode, .handOver, .raise, .leave, .poll, .snapshot, .sweep: 1
            }
        }
    }

    private let sweepsOutcomes: Bool

    init(seed: UInt64, sweepsOutcomes: Bool = true) {
        random = Random(seed: seed)
        self.sweepsOutcomes = sweepsOutcomes
    }

    /// The timeline of the fleet's row after a promotion; nil in most steps.
    mutating func nextTimeline() -> Int? { random.chance(0.02) ? random.number(2...3) : nil }

    mutating func next(_ state: DatabaseState, on server: ServerID) -> FleetQuery {
        if let leader = state.fleet.leader {
            let fence = Fence(term: state.fleet.term, leader: leader, incarnation: state.fleet.incarnation)
            if fences.last != fence { fences.append(fence) }
        }
        if state.last != cursors.last { cursors.append(state.last) }
        switch random.pick(Kind.allCases.flatMap { Array(repeating: $0, count: $0.weight) }) {
        case .readNode: return .readNode(random.pick(nodes))
        case .register: return register(state)
        case .beat: return beat(state)
        case .takeOver: return .takeOver(takeover(state))
        case .handOver: return .handOver(fence(state), to: run(state), hasFailed: random.chance(0.5))
        case .raise: return raise(state, on: server)
        case .leave: return .leave(run(state))
        case .poll:
            let withProposals = random.chance(0.5)
            return .poll(
                after: random.pick(cursors), limit: withProposals ? 500 : random.number(1...5),
                withProposals: withProposals)
        case .snapshot: return .snapshot(outcomesOf: ids())
        case .append: return append(state)
        case .resolve:
            return .resolve(appends.isEmpty ? JournalCursor(seq: 1, id: id()) : random.pick(appends).row.cursor)
        case .sweep: return sweep(state)
        case .propose: return .propose(drawnProposals(), incarnation: incarnation(state))
        case .withdraw: return .withdraw(ids())
        }
    }

    // MARK: Nodes and the lease

    private mutating func register(_ state: DatabaseState) -> FleetQuery {
        let id = random.pick(nodes)
        let old = state.nodeIndex(id).map { state.nodes[$0] }
        var row = NodeRow(
            id: id, name: "\(id.text) \(random.number(0...9))", epoch: (old?.epoch ?? 0) + 1, machine: "m",
            version: "1", encoding: 1)
        (row.hasRoute, row.applied) = (random.chance(0.5), state.last.seq)
        var mark = old?.mark
        if random.chance(0.2) {
            mark = random.chance(0.5) ? nil : NodeMark(epoch: old?.epoch ?? 1, beat: (old?.beat ?? 0) + 1)
        }
        return .register(row, replacing: mark)
    }

    private mutating func beat(_ state: DatabaseState) -> FleetQuery {
        let fence = fence(state)
        let isLeader = random.chance(0.7)
        let lease = LeaseBeat(
            fence: fence, clock: BootTime(nanoseconds: Int64(random.number(1...1_000))), knownBeat: state.fleet.beat,
            hasSucceeded: random.chance(0.5))
        let beat = NodeBeat(
            run: isLeader ? fence.leader : run(state), hasRoute: random.chance(0.5), applied: state.last.seq)
        return .beat(beat, isLeader ? lease : nil)
    }

    private mutating func takeover(_ state: DatabaseState) -> Takeover {
        let row = state.fleet
        let offset = Int64(random.chance(0.8) ? 0 : random.number(-1...1))
        let isOfBeat = random.chance(0.5)
        return Takeover(
            term: row.term + (isOfBeat ? 0 : offset), beat: row.beat + (isOfBeat ? offset : 0),
            incarnation: incarnation(state), newLeader: run(state))
    }

    private mutating func raise(_ state: DatabaseState, on server: ServerID) -> FleetQuery {
        let old = incarnation(state)
        return .raiseIncarnation(
            from: old, server: random.chance(0.8) ? state.fleet.server : server,
            newServer: random.chance(0.8) ? server : state.fleet.server,
            to: Incarnation(number: old.number + 1, id: id()))
    }

    private mutating func run(_ state: DatabaseState) -> NodeRun {
        if !state.nodes.isEmpty, random.chance(0.8) { return random.pick(state.nodes).run }
        return NodeRun(node: random.pick(nodes), epoch: Int64(random.number(1...3)))
    }

    private mutating func fence(_ state: DatabaseState) -> Fence {
        if let last = fences.last, random.chance(0.85) { return last }
        if !fences.isEmpty, random.chance(0.5) { return random.pick(fences) }
        return Fence(term: state.fleet.term, leader: run(state), incarnation: incarnation(state))
    }

    private mutating func incarnation(_ state: DatabaseState) -> Incarnation {
        let current = state.fleet.incarnation
        if random.chance(0.85) { return current }
        return random.chance(0.5)
            ? Incarnation(number: current.number, id: id()) : Incarnation(number: current.number - 1, id: current.id)
    }

    // MARK: The journal and proposals

    private mutating func append(_ state: DatabaseState) -> FleetQuery {
        if !appends.isEmpty, random.chance(0.15) {
            // A late or repeated message.
            let append = random.pick(Array(appends.suffix(4)))
            return .append(append.fence, append.row)
        }
        let fence = fence(state)
        let last = state.last
        let offset = random.chance(0.85) ? 1 : random.number(0...2)
        let outcomes = random.chance(0.5) ? [] : ids().map { ProposalOutcome(id: $0, reply: [UInt8(last.seq & 255)]) }
        let row = JournalRow(
            seq: max(1, last.seq + Int64(offset)), id: id(), previous: random.chance(0.9) ? last.id : id(),
            term: fence.term, incarnation: fence.incarnation.number,
            clock: BootTime(nanoseconds: Int64(random.number(0...1_000))), encoding: 1, body: bytes(),
            outcomes: outcomes)
        appends.append((fence, row))
        // A lost message: its operation is resolved.
        return random.chance(0.1) ? .resolve(row.cursor) : .append(fence, row)
    }

    private mutating func sweep(_ state: DatabaseState) -> FleetQuery {
        let journal = random.pick(cursors)
        // With a small limit, PostgreSQL chooses among the outcomes of one row.
        let isSmall = random.chance(0.5)
        // Outcomes are kept longer than the rows that contain them.
        let outcomes = isSmall || !sweepsOutcomes ? 0 : min(journal.seq, state.last.seq - 1)
        return .sweep(
            fence(state),
            Sweep(journal: journal, outcomes: outcomes, history: state.last.seq, limit: isSmall ? 2 : 1_000))
    }

    private mutating func drawnProposals() -> [Proposal] {
        (0..<random.number(1...3)).map { _ in
            if !proposals.isEmpty, random.chance(0.3) { return random.pick(proposals) }
            let proposal = Proposal(
                id: id(), node: random.pick(nodes), user: UInt32(random.number(0...9)), body: bytes())
            proposals.append(proposal)
            return proposal
        }
    }

    /// Ids of proposals, most of them existing, each once.
    private mutating func ids() -> [UniqueID] {
        let drawn = (0..<random.number(1...3)).map { _ in
            proposals.isEmpty || random.chance(0.1) ? id() : random.pick(Array(proposals.suffix(8))).id
        }
        return Array(Set(drawn)).sorted()
    }

    private mutating func id() -> UniqueID { UniqueID(from: &random) }

    private mutating func bytes() -> [UInt8] { (0..<random.number(0...4)).map { _ in UInt8(random.number(0...255)) } }
}
