import Control
import IPAPI
import RecordKeeping

/// One run: the daemon's real core, and around it a machine, a network, a provider, a disk and clients that do as the plan
/// says. A function of the plan.
///
///     let outcome = try Simulation.run(Plan(seed: 1, length: .seconds(86_400)))
///
/// First everything goes wrong that the plan has, and what must never happen is checked after every step. Then all is well
/// again, and within a computed time every watched address has to be fresh.
package struct Simulation: ~Copyable {
    /// One life of the daemon, from its start to its end.
    struct Life {
        let number: Int
        let since: Moment
        var keeper: Keeper
        /// The timer that counts; those before it were replaced.
        var timer = 0
        /// Calls that have brought nothing yet, nor failed.
        var calls: Set<Call.ID> = []
        /// Those that are stuck on their way: each with what is to happen once it has been given up.
        var stuck: [Call.ID: Happening] = [:]
        var connections: [Int: SimulatedConnection] = [:]
        var isStopping = false
    }

    /// What an act may wait for.
    enum Cue: String {
        case crashAtCall = "crashed at a call"
        case crashAtLostCall = "crashed at a call that was lost"
        case lossAtCall = "way lost at a call"
        case suspendAtCall = "suspended at a call"
        case replyAcrossWindowEnd = "replied across a window's end"
        case crashAtAlert = "crashed at an alert"
    }

    enum Happening {
        case act(Int)
        case ask(client: Int, Act.Question)
        case start
        case kill(life: Int)
        case wake
        case timer(life: Int, number: Int)
        case event(life: Int, Event)
        case write(life: Int, Commit)
        case arrive(life: Int, Call, to: Int, sentAt: Instant, isTold: Bool)
        case replied(life: Int, Call, SimulatedProvider.Outcome)
        case route(isOpen: Bool)
        case toServer(life: Int, connection: Int, [UInt8])
        case toClient(connection: Int, [UInt8])
        case hungUp(connection: Int)
        case deadline(client: Int, number: Int)
        case checkWay(Moment)
        case readLists(life: Int, Request.ID?, isForced: Bool)
        case checkLists(life: Int, reading: Int)
        case quiet
        case end
    }

    /// The first of the clients that may change something; every second one may.
    static let administrator = 1

    let plan: Plan
    var dice: Dice
    var now = Moment.start
    var agenda = Agenda<Happening>()
    /// What was put down of what many entries have in common.
    var entries = EntryWriting()

    /// Of the present life.
    private(set) var settings: Settings
    var machine: SimulatedMachine
    var routes = SimulatedRoutes()
    var disk = SimulatedDisk()
    /// Every provider of the plan, each with its own quota, whether it is asked at present or not.
    var providers: [SimulatedProvider]
    /// Which of them the configuration names.
    var configured = 0
    var clients: [SimulatedClient]

    var life: Life?
    private(set) var lives = 0
    /// Who stands in the watch-list files, who stood in them when they were read last, and how often that was.
    var listed: Set<IPAddress> = []
    var listedThen: Set<IPAddress>? = []
    var listsRead = 0
    var lastConnection = 0
    var lastQuestion = 0
    var isQuiet = false
    /// What is to happen at something that the daemon does, and for how long.
    var awaited: [Cue: Duration] = [:]
    /// Most replies are lost until then.
    var lossyUntil = Moment.start
    private var hasEnded = false

    var promises: Promises
    var coverage = Coverage()
    var digest = Digest()
    private let trace: Trace?

    private init(_ plan: Plan, isTraced: Bool) throws {
        self.plan = plan
        trace = isTraced ? Trace() : nil
        // Not the plan's own seed: what the world does is to be independent of what was planned.
        dice = Dice(seed: plan.seed ^ 0x5DEE_CE66_D123_4567)
        providers = try plan.providers.map {
            try SimulatedProvider($0, isStrict: plan.sabotage == .strictProvider)
        }
        settings = providers[0].settings(plan)
        machine = SimulatedMachine(pace: plan.sabotage == .fastClock ? 10 : 1)
        clients = (0..<plan.clients).map {
            SimulatedClient(isAdministrator: $0 % 2 == Self.administrator, hearsRefreshes: $0 % 4 == 1)
        }
        promises = Promises(interval: plan.interval, keepHistory: plan.keepHistory)
    }

    /// - Parameters:
    ///   - isTraced: whether the last of what happens is written down, which takes time and changes nothing.
    ///   - end: run no further than this; nil to the end.
    package static func run(_ plan: Plan, isTraced: Bool = false, until end: Duration? = nil) throws -> Outcome {
        var simulation = try Simulation(plan, isTraced: isTraced)
        return simulation.run(until: end.map { .start + $0 })
    }

    /// The one that is asked.
    var provider: SimulatedProvider { providers[configured] }

    private mutating func run(until end: Moment?) -> Outcome {
        agenda.add(.start, at: now)
        for (index, planned) in plan.acts.enumerated() { agenda.add(.act(index), at: .start + planned.at) }
        agenda.add(.quiet, at: .start + plan.length)
        var violation: Violation?
        do throws(Violation) {
            while !hasEnded, let (moment, happening) = agenda.next() {
                if let end, moment > end { break }
                try take(happening, at: moment)
            }
        } catch {
            violation = error
        }
        return Outcome(
            violation: violation, coverage: coverage, simulated: now - .start, digest: digest.value,
            trace: trace?.lines ?? [])
    }

    private mutating func take(_ happening: Happening, at moment: Moment) throws(Violation) {
        if moment < machine.asleepUntil, happening.isInTheMachine {
            agenda.add(happening, at: machine.asleepUntil)
            return
        }
        now = moment
        switch happening {
        case .act(let index): try perform(plan.acts[index].act)
        case .ask(let client, let question): if !isQuiet { try ask(client, question) }
        case .start: try start()
        case .kill(let number):
            if number == life?.number { try end() }
        case .wake: try handle(.clockStepped)
        case .timer(let number, let timer):
            if number == life?.number, timer == life?.timer { try handle(.deadlineReached) }
        case .event(let number, let event):
            if number == life?.number { try handle(event) }
        case .write(let number, let commit): try write(commit, life: number)
        case .arrive(let number, let call, let provider, let sentAt, let isTold):
            try arrive(call, at: provider, sentAt: sentAt, isTold: isTold, life: number)
        case .replied(let number, let call, let outcome): try replied(call, outcome, life: number)
        case .route(let isOpen): try turnRoute(isOpen)
        case .toServer(let number, let connection, let bytes): try receive(bytes, connection, life: number)
        case .toClient(let connection, let bytes): try read(bytes, connection)
        case .hungUp(let connection): try hungUp(connection)
        case .deadline(let client, let number): try checkDeadline(client, number)
        case .checkWay(let since): try checkWay(since)
        case .readLists(let life, let request, let isForced):
            try listsRead(for: request, isForced: isForced, life: life)
        case .checkLists(let life, let reading): try checkLists(life, reading: reading)
        case .quiet: try beQuiet()
        case .end: try checkEnd()
        }
    }

    /// What happened last, for people.
    func note(_ line: @autoclosure () -> String) {
        trace?.add("\(now)  \(line())")
    }

    // MARK: Lives

    private mutating func start() throws(Violation) {
        guard life == nil, machine.isUp(at: now) else { return }
        lives += 1
        let instant = machine.instant(at: now)
        settings = provider.settings(plan)
        let (entries, restored) = disk.restored(at: instant, boot: machine.bootID)
        try promises.checkDisk(disk, at: now)
        promises.began()
        life = Life(
            number: lives, since: now,
            keeper: Keeper(
                settings: settings, seed: dice.seed(), startedAt: instant,
                // In two runs of three, changes take several turns.
                changesPerTurn: [3, 20, Limits.changesPerTurn][Int(plan.seed % 3)]))
        self.entries = EntryWriting()
        note("start \(lives), \(entries.count) entries")
        coverage.count("start")
        // In two halves, as a store hands them over some at a time.
        let half = entries.count / 2
        for some in [entries[..<half], entries[half...]] { try handle(.restoring(Array(some), of: entries.count)) }
        try handle(.restored(restored))
        try promises.history.checkJournal(at: now)
        readLists()
    }

    /// The process is gone, at whatever it was: only what is on disk is left.
    mutating func end() throws(Violation) {
        guard let ended = life else { return }
        life = nil
        note("end of life \(ended.number)")
        for connection in ended.connections.keys.sorted() { drop(connection) }
        try promises.checkDisk(disk, at: now)
    }

    mutating func restart(after down: Duration) {
        agenda.add(.start, at: now + down)
    }

    // MARK: In the end

    /// From here on nothing goes wrong any more.
    private mutating func beQuiet() throws(Violation) {
        isQuiet = true
        note("all is well from now on")
        for number in providers.indices { providers[number].heal() }
        (disk.failsUntil, disk.slowUntil) = (.start, .start)
        agenda.add(.end, at: now + liveness)
    }

    /// How long it may take until all is fresh: what is left of faults that were under way, both backoffs at their longest,
    /// the windows that the quota needs for the whole list, and one interval in which to have been refreshed.
    private var liveness: Duration {
        let outage = Duration.seconds(7_200)
        return outage + .seconds(120) + plan.interval * 3 + .seconds(62) * (windows + 1)
    }

    /// How many windows of the quota the whole list needs.
    private var windows: Int {
        switch provider.character.kind {
        case .paid: 1
        case .free: plan.addresses.count / (15 * 100) + 1
        case .undocumented: plan.addresses.count / ((provider.character.quotas[.batch] ?? 15) * 100) + 1
        }
    }

    private mutating func checkEnd() throws(Violation) {
        hasEnded = true
        guard life != nil else { throw Violation(promise: "it runs", details: "it has not come back", moment: now) }
        try promises.checkDisk(disk, at: now)
        // The last reading without any address may have been refused.
        if !listed.isEmpty || listedThen != nil {
            try promises.checkLists(listed, of: plan.addresses.suffix(plan.listed), disk: disk, at: now)
        }
        try promises.checkFresh(listed, within: .seconds(62) * windows + .seconds(15), at: now)
        try promises.history.checkJournal(at: now)
        try promises.checkOutages(disk.outages(before: nil, limit: .max), at: now)
        coverage.count("end with all fresh")
    }
}

extension Simulation.Happening {
    /// Whether it waits while the machine sleeps.
    fileprivate var isInTheMachine: Bool {
        switch self {
        case .timer, .event, .write, .toServer, .toClient, .hungUp, .deadline, .start, .wake, .replied, .act, .ask,
            .readLists:
            true
        case .arrive, .kill, .route, .checkWay, .checkLists, .quiet, .end: false
        }
    }
}
