import ProviderModel
import RecordKeeping

/// The events of one run: a function of its seed and its length.
package struct Plan: Sendable {
    package let seed: UInt64
    package let length: Duration
    /// The providers that the configuration may name. Initially it names the first one.
    let providers: [SimulatedProvider.Character]
    let interval: Duration
    /// The time for which history is kept.
    let keepHistory: Duration
    /// The trouble with calls throughout the run.
    var trouble: Trouble
    let clients: Int
    /// Whether neighbours spend the quota, or limits change.
    let isQuotaUncertain: Bool
    /// Whether clients at times ask for more than the quota allows.
    let isContended: Bool
    let addresses: [IPAddress]
    /// The number of addresses, at the end of `addresses`, that only watch-list files contain. No client adds or
    /// removes them.
    let listed: Int
    /// The contract that the simulated world breaks; nil if it breaks none.
    package var sabotage: Sabotage?
    /// The kinds of acts in this run, each repeated in proportion to its frequency. A run with many acts of one kind
    /// and none of another finds errors that an even mixture never finds.
    private let sorts: [Int]
    /// The share of requests by clients among the acts, from 0 to 1.
    private let questions: Double
    /// The kinds of these requests, each repeated in proportion to its frequency.
    private let questionSorts: [Int]
    /// The acts in order of time. A plan with fewer acts is also valid.
    package var acts: [(at: Duration, act: Act)] = []

    /// The limits on the resources that clients use at the same time.
    let capacity: Capacity

    /// Whether there are so many addresses and clients that limits matter.
    let isLarge: Bool

    package init(seed: UInt64, length: Duration) {
        isLarge = false
        var prng = Random(seed: seed)
        self.seed = seed
        self.length = length
        isContended = Self.isContended(seed)
        let drawn = Self.providers(prng.pick([1, 2, 8, 40]), &prng)
        let isSeries = Self.series(seed) != nil
        providers =
            isContended ? [Self.scarceProvider(seed)] : isSeries ? [Self.providerOfSeries(seed)] : drawn
        sorts = (0...20).flatMap { Array(repeating: $0, count: prng.pick([0, 1, 1, 2, 8])) }
        questions = prng.pick([0.4, 0.7, 0.7])
        questionSorts = Self.questionFrequencies.enumerated().flatMap { sort, frequency in
            // Without additions, nothing would be watched.
            Array(repeating: sort, count: frequency * prng.pick([sort == 0 ? 1 : 0, 1, 1, 2, 8]))
        }
        capacity = isContended || isSeries ? Capacity() : Self.capacity(seed)
        let few = prng.number(2...5)
        clients = isContended ? Self.contendingClients : few
        trouble = Trouble(&prng)
        isQuotaUncertain = Self.isQuotaUncertain(seed)
        let count = prng.pick([3, 3, 3, 5, 5, 10, 10, 20, 40, 60])
        // A few runs have more addresses than the quota of one window covers.
        let size = prng.chance(0.002) ? 2_000 : count
        let needed = isSeries ? Self.seriesAddresses : size
        addresses = Self.addresses(isContended ? Self.contendedAddresses : needed, &prng)
        listed = min(5, addresses.count / 3)
        // Many addresses with a short interval take a long time to simulate, and reveal no more errors than a few do.
        interval =
            isContended || isSeries
            ? .seconds(90)
            : addresses.count > 10
                ? .seconds(300)
                : prng.pick([.seconds(300), .seconds(60), .seconds(20), .seconds(prng.number(20...90))])
        // Only some runs have a short retention. It is drawn separately, so that other plans stay the same.
        var histories = Random(seed: seed ^ 0xBB67_AE85_84CA_A73B)
        keepHistory = seed % 5 == 1 ? .seconds(histories.pick([1_000, 10_000, 40_000])) : .seconds(90 * 86_400)
        let maxPause = Duration.seconds(prng.pick([60, 240, 240, 240]))
        var time = Duration.seconds(1)
        while time < length {
            let act = act(&prng)
            acts.append((time, act))
            if case .ask(let client, .remove(let numbers)) = act, prng.chance(0.5) {
                // Add the addresses back at once, perhaps while a call for them is in flight.
                acts.append((time, .ask(client: client, .add(numbers))))
            }
            time += prng.duration(.milliseconds(1), maxPause)
        }
        // Drawn separately, so that the rest of the plan stays the same.
        if seed % 5 == 1 { planCrashesAtAlerts(&histories) }
        var others = Random(seed: seed ^ 0x3C6E_F372_FE94_F82B)
        if others.chance(0.3) { plan(&others) }
        planReadFailures()
        planEndpointFaults()
        planQuotaChanges()
        planMoves()
        planContention()
        planSeries()
        planWatchEnds()
        planLocalDatabases()
        planNames()
    }

    /// Creates a plan of 100,000 addresses and hundreds of clients. Few of its acts are faults, since a plan of this
    /// size takes as long to simulate as a day of an ordinary one.
    package init(large seed: UInt64, length: Duration) {
        var prng = Random(seed: seed ^ 0x1F83_D9AB_FB41_BD6B)
        isLarge = true
        (self.seed, self.length) = (seed, length)
        let kind = SimulatedProvider.Kind.allCases[Int(seed % 3)]
        providers = [.init(number: 0, kind: kind, quotas: [.single: 45, .batch: prng.pick([15, 40, 80])])]
        (sorts, questions, questionSorts) = ([], 0, [])
        clients = prng.number(200...400)
        isQuotaUncertain = false
        isContended = false
        capacity = Self.largeCapacity(seed)
        trouble = .none
        addresses = Self.addresses(100_000, &prng)
        listed = 5
        // With a paid provider, all records are refreshed at once, so the interval is longer.
        interval = kind == .paid ? .seconds(3_600) : .seconds(300)
        keepHistory = .seconds(90 * 86_400)
        planLarge(&prng)
    }

    /// Adds crashes in the few milliseconds between the commit of an alert and its log entry.
    private mutating func planCrashesAtAlerts(_ prng: inout Random) {
        var time = prng.duration(.seconds(1), .seconds(7_200))
        while time < length {
            acts.append((time, .crashAtAlert(down: prng.duration(.milliseconds(10), .seconds(600)))))
            time += prng.duration(.seconds(60), .seconds(14_400))
        }
        // The sort is stable: acts at the same time keep their order.
        acts.sort { $0.at < $1.at }
    }

    /// Adds acts that produce a rare combination of events, which random acts would almost never reach.
    private mutating func plan(_ prng: inout Random) {
        if prng.chance(0.6) {
            // Nothing else happens that could repair the damage.
            trouble = .none
            acts = []
        }
        var time = prng.duration(.seconds(1), .seconds(600))
        while time < length {
            let numbers = Array((0..<(addresses.count - listed)).shuffled(using: &prng).prefix(8))
            // The records expire before the addresses are added again, so that the addresses need calls.
            acts.append((time, .ask(client: Simulation.administrator, .remove(numbers))))
            time += interval + .seconds(2)
            if prng.chance(0.2) { acts.append((time, .suspendAtCall(.milliseconds(prng.number(5_000...70_000))))) }
            if prng.chance(0.3) {
                let calls = prng.number(1...3)
                acts.append((time + .seconds(prng.number(1...55)), .fault(.status429, calls: calls)))
            }
            acts.append((time, .replyAcrossWindowEnd(numbers)))
            time += .seconds(75) + prng.duration(.seconds(1), .seconds(60))
        }
        // The sort is stable: acts at the same time keep their order.
        acts.sort { $0.at < $1.at }
    }

    /// Draws the providers. There is at most one free and one paid provider, and any number of others.
    private static func providers(_ count: Int, _ prng: inout Random) -> [SimulatedProvider.Character] {
        var kinds: Set<SimulatedProvider.Kind> = []
        return (0..<count).map { number in
            let kind = prng.pick([SimulatedProvider.Kind.free, .undocumented, .undocumented, .paid])
            let isNew = kinds.insert(kind).inserted
            var quotas: [Call.Endpoint: Int] = [:]
            for endpoint in Call.Endpoint.allCases { quotas[endpoint] = prng.pick([nil, 1, 2, 2, 2, 3, 3, 6]) }
            return SimulatedProvider.Character(number: number, kind: isNew ? kind : .undocumented, quotas: quotas)
        }
    }

    private static func addresses(_ count: Int, _ prng: inout Random) -> [IPAddress] {
        var addresses: Set<IPAddress> = []
        while addresses.count < count {
            let number = UInt64(prng.number(0...0xFFFF_FFFF))
            addresses.insert(
                prng.chance(0.2)
                    ? IPAddress(high: 0x2001_0470_0000_0000 | number, low: number) : IPAddress(v4: UInt32(number)))
        }
        return addresses.sorted()
    }

    /// The maximum number of changes in one turn of the core. In two out of three ordinary plans, changes take several
    /// turns.
    var changesPerTurn: Int { isLarge ? Limits.changesPerTurn : [3, 20, Limits.changesPerTurn][Int(seed % 3)] }

    // MARK: Drawing

    private func act(_ prng: inout Random) -> Act {
        guard !sorts.isEmpty, !prng.chance(questions) else {
            return .ask(client: prng.number(0...(clients - 1)), question(&prng))
        }
        switch prng.pick(sorts) {
        case 0: return .crash(down: prng.duration(.milliseconds(10), .seconds(prng.pick([1, 600]))))
        case 1: return .crashAtCall(down: prng.duration(.milliseconds(10), .seconds(prng.pick([1, 20]))))
        case 2: return .stop(down: prng.duration(.milliseconds(10), .seconds(60)))
        case 3:
            let off = prng.chance(0.5) ? .zero : prng.duration(.seconds(1), .seconds(86_400)) * prng.pick([-1, 1])
            // The downtime is usually short enough that the previous quota window is still open.
            let down = prng.duration(.seconds(5), .seconds(prng.pick([20, 40, 3_600])))
            return .reboot(down: down, clockOff: off)
        case 4: return .suspend(prng.duration(.seconds(1), .seconds(7_200)))
        case 5: return .stepClock(prng.duration(.milliseconds(1), .seconds(86_400)) * prng.pick([-1, 1]))
        case 6, 7: return .loseRoute(prng.duration(.milliseconds(1), .seconds(prng.pick([5, 1_800]))))
        case 8: return .flap(times: prng.number(2...30), each: prng.duration(.milliseconds(1), .seconds(2)))
        case 9: return .routeNoise(prng.number(1...200))
        case 10, 11: return .fault(prng.pick(Self.faults), calls: prng.number(1...20))
        case 12: return .providerDown(prng.duration(.seconds(1), .seconds(1_800)))
        case 13: return .providerSlow(prng.duration(.seconds(1), .seconds(600)))
        case 14: return .changeRecord(prng.number(0...(addresses.count - 1)))
        case 15:
            // The downtime is short enough that a quota window of the previous process may still be open.
            let down = prng.duration(.milliseconds(10), .seconds(prng.pick([1, 60])))
            return .changeProvider(to: prng.number(0...(providers.count - 1)), down: down)
        case 16:
            guard prng.chance(0.8) else { return .listsUnreadable }
            return .lists((0..<listed).filter { _ in prng.chance(0.6) })
        case 17: return .crashAtLostCall(down: prng.duration(.milliseconds(10), .seconds(prng.pick([1, 20]))))
        case 18: return .loseRouteAtCall(prng.duration(.milliseconds(10), .seconds(prng.pick([1, 20]))))
        case 19: return .replaceAroundWindowEnd(Self.some(8, of: addresses.count - listed, &prng))
        default:
            let time = prng.duration(.milliseconds(10), .seconds(300))
            return prng.chance(0.5) ? .diskFails(time) : .diskSlow(time)
        }
    }

    static let faults: [Fault] = [
        .status429, .status5xx(503), .forbidden, .redirect, .html, .notJSON, .emptyBody, .hang, .reset, .truncated,
        .slow(.seconds(3)), .drip(.milliseconds(1)), .endlessBody, .wrongOrder, .missingElement, .extraElement,
        .duplicateElement, .changedRecord, .numbersAsStrings, .nullFields,
    ]

    private static func some(_ maximum: Int, of count: Int, _ prng: inout Random) -> [Int] {
        (0..<prng.number(1...max(1, min(maximum, count)))).map { _ in prng.number(0...(count - 1)) }
    }

    /// The relative frequency of each kind of question, in the order of `question(_:)`.
    private static let questionFrequencies = [5, 2, 6, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]

    private func question(_ prng: inout Random) -> Act.ClientAction {
        let own = addresses.count - listed
        func some(_ maximum: Int, of count: Int) -> [Int] { Self.some(maximum, of: count, &prng) }
        switch prng.pick(questionSorts) {
        case 0: return .add(some(prng.pick([1, 5, 50, 1_000]), of: own))
        case 1: return .remove(some(prng.pick([1, 3, 20]), of: own))
        case 2:
            let asked = some(prng.pick([1, 1, 4, 30]), of: addresses.count)
            return .show(asked, wait: prng.pick([.zero, .seconds(5), .seconds(90)]))
        case 3: return .status
        case 4: return .monitor
        case 5: return .garbage(prng.number(0...3))
        case 6: return .half
        case 7: return .hangUp
        case 8: return .pin(some(prng.pick([1, 3, 20]), of: own), prng.chance(0.5))
        case 9: return .list(page: prng.pick([1, 7, 1_000]))
        case 10: return .refresh
        case 11: return .history(prng.number(0...(addresses.count - 1)))
        case 12: return .outages
        case 13: return .stopReading(prng.duration(.milliseconds(1), .seconds(prng.pick([5, 600, 14_400]))))
        default: return .reload
        }
    }
}
