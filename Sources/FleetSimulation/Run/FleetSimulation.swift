import Fleet
import RecordKeeping
package import Simulation

/// One run: the real members of a fleet, and around them a simulated database, network, provider and clients that
/// follow the plan. The outcome is a function of the plan.
package struct FleetSimulation {
    /// A scheduled event.
    enum SimulatedEvent {
        case act(Int)
        case start(node: Int)
        case node(Int, run: Int, NodeEvent)
        case execute(SentQuery)
        /// A commit ends.
        case endAppend(Int, SentQuery, Fence)
        case arrive(call: Int)
        case databaseUp(Recovery)
        case standbyCatchesUp
        case endOfClone(Int)
        case routeRestored(node: Int)
        case check
        case quiet
        case end
    }

    /// An event inside a node, which waits while the node is frozen.
    enum NodeEvent {
        case timer(Int)
        case coreTimer(Int)
        case depart(FleetQuery.ID, FleetQuery)
        case replied(FleetQuery.ID, FleetReply)
        case failed(FleetQuery.ID, FleetFailure)
        case stored([JournalRow], Incarnation, commit: CommitID?)
        case storedSnapshot(FleetSnapshot)
        case hint
        case requested(token: Int, timeLimit: Duration)
        case departCall(Int)
        case callEnded(Int, untilReset: Duration?)
        case route(hasRoute: Bool)
    }

    /// A query on its way to the database.
    struct SentQuery {
        let node: Int
        let run: Int
        let id: FleetQuery.ID
        let query: FleetQuery
        /// The number of the database's connections when it was sent.
        let connections: Int
        /// When the database gives up waiting for a lock; nil before the first attempt.
        var waitsUntil: Moment?
        /// Whether its COMMIT waits for the standby. A crash of the server then makes it visible or undoes it.
        var isFlushed = false
    }

    /// How the database comes back.
    enum Recovery {
        case restart
        case promotion
        case restore(asOtherSystem: Bool)
    }

    let plan: FleetPlan
    var prng: Random
    var now = Moment.start
    var queue = EventQueue<SimulatedEvent>()
    var database: FleetDatabase
    var nodes: [SimulatedNode] = []
    var bodies = BodyTable()
    var quota: SimulatedQuota
    var runs = 0
    var calls: [CallFact] = []
    var lastAppend = 0
    var stallNext: Duration?
    var providerFailsUntil = Moment.start
    /// Whether the server is about to crash, so that clients do not receive replies.
    var isDatabaseCrashing = false
    /// Something is wrong with the database until this moment.
    var databaseDisturbedUntil = Moment.start
    /// The same, except outages for all nodes.
    var databaseImpairedUntil = Moment.start
    var lastFault = Moment.start
    var isQuiet = false
    var hasEnded = false
    var promises = FleetPromises()
    var coverage = Coverage()
    var digest = Digest()
    private let trace: Trace?

    private init(_ plan: FleetPlan, isTraced: Bool) {
        self.plan = plan
        trace = isTraced ? Trace() : nil
        prng = Random(seed: plan.seed ^ 0x5DEE_CE66_D123_4567)
        let model = ModelState(addresses: plan.addresses, quota: plan.quota)
        let incarnation = Incarnation(number: 0, id: UniqueID(from: &prng))
        database = FleetDatabase(incarnation: incarnation, model: model, isSynchronous: plan.isSynchronous)
        quota = SimulatedQuota(window: plan.window)
        for index in 0..<plan.nodes {
            let clock = NodeClock(
                ownBase: BootTime(nanoseconds: Int64(prng.number(1_000...1_000_000)) * 1_000_000_000),
                rate: plan.rates[index])
            let disk = SimulatedNode.Disk(
                state: model, times: Array(repeating: nil, count: plan.addresses))
            nodes.append(
                SimulatedNode(
                    id: NodeID("node \(index)"), machine: "machine \(index)", isClone: false, clock: clock, disk: disk))
        }
    }

    /// Runs the simulation of a plan.
    ///
    /// - Parameters:
    ///   - isTraced: whether to record the last events as text, which takes time and changes nothing else.
    ///   - end: the simulated time at which the run stops early; nil to run to the end.
    /// - Throws: `CancellationError` if the task is cancelled.
    package static func run(_ plan: FleetPlan, isTraced: Bool = false, until end: Duration? = nil) throws -> Outcome {
        var simulation = FleetSimulation(plan, isTraced: isTraced)
        return try simulation.run(until: end.map { .start + $0 })
    }

    private mutating func run(until end: Moment?) throws -> Outcome {
        for index in nodes.indices { queue.add(.start(node: index), at: now + .milliseconds(index * 300)) }
        for (index, planned) in plan.acts.enumerated() { queue.add(.act(index), at: .start + planned.at) }
        queue.add(.check, at: now + .seconds(1))
        queue.add(.quiet, at: .start + plan.length)
        var violation: Violation?
        while violation == nil, !hasEnded, let (moment, event) = queue.next() {
            if let end, moment > end { break }
            if Task.isCancelled { throw CancellationError() }
            do throws(Violation) { try handle(event, at: moment) } catch { violation = error }
        }
        return Outcome(
            violation: violation, coverage: coverage, simulated: now - .start, digest: digest.value,
            trace: trace?.lines ?? [])
    }

    private mutating func handle(_ event: SimulatedEvent, at moment: Moment) throws(Violation) {
        if case .node(let index, _, _) = event, moment < nodes[index].frozenUntil {
            queue.add(event, at: nodes[index].frozenUntil)
            return
        }
        now = moment
        switch event {
        case .act(let index): if !isQuiet { try perform(plan.acts[index].act) }
        case .start(let index): try start(index)
        case .node(let index, let run, let event):
            if nodes[index].process?.number == run { try handle(event, in: index) }
        case .execute(let query): try execute(query)
        case .endAppend(let number, let query, let fence): try endAppend(number, query, fence)
        case .arrive(let call): try arrive(call)
        case .databaseUp(let recovery): try recover(recovery)
        case .standbyCatchesUp: database.standbyCatchesUp()
        case .endOfClone(let index): nodes[index].process = nil
        case .routeRestored(let index): restoreRoute(of: index)
        case .check: try check()
        case .quiet: endFaults()
        case .end: try checkEnd()
        }
    }

    /// Returns the violation of a promise, found at the current time.
    func broken(_ promise: String, _ details: String) -> Violation {
        Violation(promise: promise, details: details, moment: now)
    }

    /// Adds a line to the trace.
    func note(_ line: @autoclosure () -> String) {
        trace?.add("\(now)  \(line())")
    }

    /// The probability that a query fails now.
    var noise: Double { isQuiet ? 0 : plan.noise }

    /// The node that leads, if any: the first one.
    var leader: Int? {
        nodes.indices.first { nodes[$0].process?.core.isLeading == true }
    }
}

extension FleetPlan: SimulatedPlan {
    package func run(isTraced: Bool, until end: Duration?) throws -> Outcome {
        try FleetSimulation.run(self, isTraced: isTraced, until: end)
    }
}
