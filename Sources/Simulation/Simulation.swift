import Control
import IPAPI
import ProviderModel
import RecordKeeping

/// One run: the daemon's real core, and around it a simulated machine, network, provider, disk and clients that follow
/// the plan. The outcome is a function of the plan.
///
///     let outcome = try Simulation.run(Plan(seed: 1, length: .seconds(86_400)))
///
/// In the first phase, the faults of the plan occur, and every step is checked for violations. Then all faults end, and
/// every watched address must have a fresh record within a computed time.
package struct Simulation {
    /// The steps of the daemon that an act can wait for.
    enum Trigger: String {
        case crashAtCall = "crashed during a call"
        case crashAtLostCall = "crashed during a lost call"
        case lossAtCall = "route lost during a call"
        case suspendAtCall = "suspended during a call"
        case replyAcrossWindowEnd = "reply delayed across a window's end"
        case refusalAcrossWindowEnd = "refusal delayed across a window's end"
        case crashAcrossWindowEnd = "crashed during a call across a window's end"
        case replyAfterRequestedWait = "reply delayed until a wait was requested"
        case crashAtAlert = "crashed during an alert"
    }

    /// A scheduled event.
    enum SimulatedEvent {
        case act(Int)
        case ask(client: Int, Act.ClientAction)
        case start
        case kill(run: Int)
        case wake
        case timer(run: Int, number: Int)
        case event(run: Int, Event)
        case write(run: Int, Commit)
        case resolved(run: Int, HostName)
        case arrive(run: Int, Call, to: Int, sentAt: (Instant, Moment), isReported: Bool)
        case replied(run: Int, Call, SimulatedProvider.Outcome)
        case readLocally(run: Int, Call, sentAt: Instant)
        case repliedLocally(run: Int, Call, Reply?)
        case route(isOpen: Bool)
        case move(SimulatedRoutes.MoveStep)
        case toServer(run: Int, connection: Int, [UInt8])
        case toClient(connection: Int, [UInt8])
        case hungUp(connection: Int)
        case deadline(client: Int, number: Int)
        /// Checks that the change at this moment has been logged; nil for the last change.
        case checkRouteReport(Moment?)
        case readLists(run: Int, Request.ID?, isForced: Bool, isPreview: Bool)
        case checkLists(run: Int, reading: Int)
        case checkPromptness
        case checkWindowEnd(Call.Endpoint, of: Int)
        case quiet
        case end
    }

    /// The index of the first administrator among the clients; every second client is an administrator.
    static let administrator = 1

    let plan: Plan
    var prng: Random
    var now = Moment.start
    var eventQueue = EventQueue<SimulatedEvent>()
    /// The encoder of the current process.
    private(set) var encoder = SimulatedEncoder()

    /// The settings of the current process.
    private(set) var settings: Settings
    var machine: SimulatedMachine
    var routes = SimulatedRoutes()
    var resolver = SimulatedResolver()
    var disk = SimulatedDisk()
    /// Every provider of the plan, each with its own quota, whether it is in use or not.
    var providers: [SimulatedProvider]
    /// The index of the provider in the configuration, unless the provider is local.
    var configured = 0
    /// Whether the configuration names local databases.
    var isLocal: Bool
    var databases = SimulatedDatabases()
    var clients: [SimulatedClient]

    var run: ProcessRun?
    private(set) var runs = 0
    /// The addresses in the watch-list files.
    var listed: Set<IPAddress> = []
    /// The addresses at the last reload; nil if the daemon may have refused that reload.
    var listedThen: Set<IPAddress>? = []
    /// The number of reloads.
    var listsRead = 0
    var lastConnection = 0
    var lastQuestion = 0
    var isQuiet = false
    /// The triggers of planned acts, each with the duration of its act.
    var awaited: [Trigger: Duration] = [:]
    /// Most replies get lost until this moment.
    var lossyUntil = Moment.start
    /// The number of events that the core has handled.
    var eventsHandled = 0
    var hasEnded = false

    var promises: Promises
    var coverage = Coverage()
    var digest = Digest()
    private let trace: Trace?

    private init(_ plan: Plan, isTraced: Bool) throws {
        self.plan = plan
        trace = isTraced ? Trace() : nil
        // Not the plan's own seed: the behaviour of the world must be independent of the plan.
        prng = Random(seed: plan.seed ^ 0x5DEE_CE66_D123_4567)
        providers = try plan.providers.map {
            try SimulatedProvider(
                $0, isStrict: plan.sabotage == .strictProvider, isForgiving: plan.isQuotaUncertain)
        }
        settings = providers[0].settings(plan)
        isLocal = plan.hasLocalDatabases
        machine = SimulatedMachine(pace: plan.sabotage == .fastClock ? 10 : 1)
        clients = (0..<plan.clients).map {
            SimulatedClient(
                isAdministrator: $0 % 2 == Self.administrator, user: SimulatedClient.user(of: $0),
                kinds: SimulatedClient.kinds(of: $0, in: plan))
        }
        promises = Promises(interval: plan.interval, keepHistory: plan.keepHistory)
    }

    /// Runs the simulation of a plan.
    ///
    /// - Parameters:
    ///   - isTraced: whether to record the last events as text, which takes time and changes nothing else.
    ///   - end: the simulated time at which the run stops early; nil to run to the end.
    /// - Throws: `CancellationError` if the task is cancelled.
    package static func run(_ plan: Plan, isTraced: Bool = false, until end: Duration? = nil) throws -> Outcome {
        var simulation = try Simulation(plan, isTraced: isTraced)
        return try simulation.run(until: end.map { .start + $0 })
    }

    /// The provider in the configuration.
    var provider: SimulatedProvider { providers[configured] }

    private mutating func run(until end: Moment?) throws -> Outcome {
        eventQueue.add(.start, at: now)
        for (index, planned) in plan.acts.enumerated() { eventQueue.add(.act(index), at: .start + planned.at) }
        eventQueue.add(.quiet, at: .start + plan.length)
        eventQueue.add(.checkPromptness, at: now + Self.promptnessChecks)
        var violation: Violation?
        while violation == nil, !hasEnded, let (moment, event) = eventQueue.next() {
            if let end, moment > end { break }
            if Task.isCancelled { throw CancellationError() }
            do throws(Violation) { try handle(event, at: moment) } catch { violation = error }
        }
        return Outcome(
            violation: violation, coverage: coverage, simulated: now - .start, digest: digest.value,
            trace: trace?.lines ?? [])
    }

    private mutating func handle(_ event: SimulatedEvent, at moment: Moment) throws(Violation) {
        if moment < machine.asleepUntil, event.isInTheMachine {
            eventQueue.add(event, at: machine.asleepUntil)
            return
        }
        now = moment
        switch event {
        case .act(let index): try perform(plan.acts[index].act)
        case .ask(let client, let question): if !isQuiet { try ask(client, question) }
        case .start: try start()
        case .kill(let number):
            if number == run?.number { try end() }
        case .wake: try handle(.clockStepped)
        case .timer(let number, let timer):
            if number == run?.number, timer == run?.timer { try handle(.deadlineReached) }
        case .event(let number, let event):
            if number == run?.number { try handle(event) }
        case .write(let number, let commit): try write(commit, run: number)
        case .resolved(let number, let name): try resolved(name, run: number)
        case .arrive(let number, let call, let provider, let sentAt, let isReported):
            try arrive(call, at: provider, sentAt: sentAt, isReported: isReported, run: number)
        case .replied(let number, let call, let outcome): try replied(call, outcome, run: number)
        case .readLocally(let number, let call, let sentAt): readLocally(call, sentAt: sentAt, run: number)
        case .repliedLocally(let number, let call, let reply): try repliedLocally(call, reply, run: number)
        case .route(let isOpen): turnRoute(isOpen)
        case .move(let step): move(step)
        case .toServer(let number, let connection, let bytes): try receive(bytes, connection, run: number)
        case .toClient(let connection, let bytes): try read(bytes, connection)
        case .hungUp(let connection): try hungUp(connection)
        case .deadline(let client, let number): try checkDeadline(client, number)
        case .checkRouteReport(let since): try checkRouteReport(since)
        case .readLists(let run, let request, let isForced, let isPreview):
            try listsRead(for: request, isForced: isForced, isPreview: isPreview, run: run)
        case .checkLists(let run, let reading): try checkLists(run, reading: reading)
        case .checkPromptness: try checkPromptness()
        case .checkWindowEnd(let endpoint, let number): try checkWindowEnd(endpoint, of: number)
        case .quiet: try beQuiet()
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

    // MARK: Processes

    private mutating func start() throws(Violation) {
        guard run == nil, machine.isUp(at: now) else { return }
        runs += 1
        let instant = machine.instant(at: now)
        settings = provider.settings(plan)
        if isLocal { settings.useLocalDatabases(databases.version) }
        let (entries, restored) = disk.restored(at: instant, boot: machine.bootID)
        try promises.checkDisk(disk, at: now)
        let health = restored.health.filter { $0.provider == nil || $0.provider == settings.providerEndpoint }
        promises.began(restoring: health, from: isLocal ? .local(version: databases.version?.id) : .remote, at: now)
        routes.processBegan(at: now)
        // Calls of the previous process may arrive even now.
        for endpoint in Call.Endpoint.allCases { providers[configured].lost(endpoint, at: now) }
        run = ProcessRun(
            number: runs, since: now,
            keeper: Keeper(
                settings: settings, seed: prng.next(), startedAt: instant, changesPerTurn: plan.changesPerTurn),
            data: isLocal ? databases.version : nil)
        encoder = SimulatedEncoder()
        note("start \(runs), \(entries.count) entries")
        coverage.count("start")
        // The entries are passed in two portions, since a store returns them in portions.
        let half = entries.count / 2
        for some in [entries[..<half], entries[half...]] { try handle(.restoring(Array(some), of: entries.count)) }
        try handle(.restored(restored))
        try promises.history.checkJournal(at: now)
        readLists()
    }

    /// Ends the process, regardless of its state. Only the data on disk remains.
    mutating func end() throws(Violation) {
        guard let ended = run else { return }
        run = nil
        providers[configured].processEnded()
        note("end of process \(ended.number)")
        for connection in ended.connections.keys.sorted() { drop(connection) }
        try promises.checkDisk(disk, at: now)
    }

    mutating func restart(after down: Duration) {
        eventQueue.add(.start, at: now + down)
    }
}

extension Plan: SimulatedPlan {
    package func run(isTraced: Bool, until end: Duration?) throws -> Outcome {
        try Simulation.run(self, isTraced: isTraced, until: end)
    }
}

extension Simulation.SimulatedEvent {
    /// Whether the event is postponed while the machine is suspended.
    fileprivate var isInTheMachine: Bool {
        switch self {
        case .timer, .event, .write, .toServer, .toClient, .hungUp, .deadline, .start, .wake, .replied, .readLocally,
            .repliedLocally, .act, .ask, .readLists, .resolved:
            true
        case .arrive, .kill, .route, .move, .checkRouteReport, .checkLists, .checkPromptness, .checkWindowEnd, .quiet,
            .end:
            false
        }
    }
}
