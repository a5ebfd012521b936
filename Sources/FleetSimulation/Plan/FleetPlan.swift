import RecordKeeping
import Simulation

/// The events of one run: a function of its seed and its length.
package struct FleetPlan: Sendable {
    package let seed: UInt64
    package let length: Duration
    let nodes: Int
    let addresses: Int
    let interval = Duration.seconds(60)
    /// The calls of a quota window, and its length.
    let quota: Int
    let window = Duration.seconds(12)
    let requestTimeout = Duration.seconds(5)
    /// Whether a COMMIT waits for the standby.
    let isSynchronous: Bool
    /// Seconds of each node's clock per true second.
    let rates: [Double]
    /// Whether the clocks are so correct that records and quotas can be measured.
    let areClocksCorrect: Bool
    /// The probability that a query fails, or that its reply is lost or late.
    let noise: Double
    /// The probability that a notification is lost.
    let hintLoss: Double
    /// The time for which journal rows are kept.
    let journalRetention: Duration
    /// The time for which outcomes are kept: longer than a proposal can be late.
    let outcomeRetention: Duration
    /// The maximum number of rows that one sweep deletes.
    let rowsPerSweep: Int
    /// The longest duration of a snapshot.
    let maxSnapshot: Duration
    /// The acts in order of time. A plan with fewer acts is also valid.
    package var acts: [(at: Duration, act: FleetAct)] = []

    package init(seed: UInt64, length: Duration) {
        var prng = Random(seed: seed)
        let schedule = FleetSchedule(seed: seed)
        (self.seed, self.length) = (seed, length)
        nodes = prng.number(2...prng.pick([3, 3, 5, 7]))
        let (addresses, quota) = (prng.number(4...12), prng.pick([3, 4, 6]))
        self.addresses = schedule == nil ? addresses : 8
        self.quota = schedule == nil ? quota : 3
        let isSynchronous = prng.chance(0.5)
        self.isSynchronous = schedule?.isSynchronous ?? isSynchronous
        let areClocksCorrect = prng.chance(0.75) && schedule?.hasExtremeRates != true
        self.areClocksCorrect = areClocksCorrect || schedule?.hasExtremeRates == false
        let spread = self.areClocksCorrect ? 0.0004 : 0.19
        rates = (0..<nodes).map { node in
            if schedule?.hasExtremeRates == true { return node == 0 ? 1 - spread : 1 + spread }
            return 1 + Double.random(in: -spread...spread, using: &prng)
        }
        let noise = prng.pick([0, 0, 0.005, 0.03])
        self.noise = schedule == nil ? noise : 0
        hintLoss = prng.pick([0, 0.2, 1])
        let journalRetention = prng.pick([Duration.seconds(120), .seconds(600)])
        self.journalRetention = schedule == nil ? journalRetention : .seconds(120)
        outcomeRetention = prng.pick([.seconds(5_000), .seconds(86_400)])
        rowsPerSweep = prng.pick([5, 1_000])
        maxSnapshot = prng.pick([.milliseconds(50), .seconds(2), .seconds(40)])
        for address in 0..<self.addresses / 2 {
            acts.append((.seconds(1), .change(node: 0, isAddition: true, address: address, timeLimit: .seconds(60))))
        }
        if let schedule {
            var time = Duration.seconds(60)
            while time + FleetSchedule.period < length {
                acts += schedule.acts(at: time, nodes: nodes, &prng)
                time += FleetSchedule.period + prng.duration(.zero, .seconds(5))
            }
        } else {
            addRandomActs(&prng)
        }
        acts.sort { $0.at < $1.at }
    }

    private mutating func addRandomActs(_ prng: inout Random) {
        // A run with many faults of one kind and none of another finds errors that an even mixture never finds.
        var kinds = (0...20).flatMap { Array(repeating: $0, count: prng.pick([0, 0, 1, 1, 4])) }
        // A new history hides errors of the previous one.
        if prng.chance(0.5) { kinds.removeAll { [13, 18].contains($0) } }
        let changes = prng.pick([0.2, 0.5, 0.8])
        let maxPause = Duration.seconds(prng.pick([8, 40, 200]))
        var time = Duration.seconds(30)
        while time < length {
            let isChange = kinds.isEmpty || prng.chance(changes)
            if isChange {
                acts.append((time, change(&prng)))
            } else {
                switch prng.pick(kinds) {
                case 17: crashBeforePromotion(at: time, &prng)
                case 18: restoreTwice(at: time, &prng)
                case 19: cutAfterLateReply(at: time, &prng)
                case let kind: acts.append((time, fault(kind, &prng)))
                }
            }
            time += prng.duration(.milliseconds(1), maxPause)
        }
    }

    /// The primary crashes and recovers while the standby is behind, and the standby is promoted soon after. Commits
    /// that waited for the standby are visible in between.
    private mutating func crashBeforePromotion(at time: Duration, _ prng: inout Random) {
        acts.append((time, .standbyLags(.seconds(60))))
        for _ in 0..<3 {
            let request = FleetAct.change(
                node: prng.number(0...nodes - 1), isAddition: prng.chance(0.5),
                address: prng.number(0...addresses - 1), timeLimit: .seconds(30))
            acts.append((time + prng.duration(.milliseconds(1), .seconds(2)), request))
        }
        let crash = time + prng.duration(.milliseconds(100), .seconds(4))
        acts.append((crash, .databaseDown(prng.duration(.milliseconds(10), .seconds(2)))))
        acts.append((crash + prng.duration(.seconds(2), .seconds(20)), .promote(down: .seconds(1))))
    }

    /// The same backup is restored twice. The first node that notices the second restore may not have seen the first
    /// one.
    private mutating func restoreTwice(at time: Duration, _ prng: inout Random) {
        let away = prng.number(0...nodes - 1)
        let first = time + prng.duration(.seconds(1), .seconds(20))
        let second = first + prng.duration(.seconds(10), .seconds(60))
        acts.append((time, .backUp))
        acts.append((first - .milliseconds(500), .crash(.node(away), down: second - first + .seconds(2))))
        acts.append((first, .restore(down: .milliseconds(100), asOtherSystem: prng.chance(0.5))))
        for node in 0..<nodes where node != away {
            acts.append((second - .milliseconds(1), .cutDatabase(.node(node), .both, .seconds(20))))
        }
        acts.append((second, .restore(down: .milliseconds(100), asOtherSystem: prng.chance(0.5))))
    }

    /// The reply to a heartbeat is late, and the leader is cut off before the next one.
    private mutating func cutAfterLateReply(at time: Duration, _ prng: inout Random) {
        acts.append((time, .stallConnections(.leader, .back, prng.duration(.seconds(4), .milliseconds(5_500)))))
        let cut = time + prng.duration(.seconds(1), .milliseconds(2_500))
        acts.append((cut, .cutDatabase(.leader, .there, prng.duration(.seconds(8), .seconds(25)))))
    }

    private func change(_ prng: inout Random) -> FleetAct {
        .change(
            node: prng.number(0...nodes - 1), isAddition: prng.chance(0.7), address: prng.number(0...addresses - 1),
            timeLimit: prng.pick([.seconds(1), .seconds(10), .seconds(30)]))
    }

    private func fault(_ kind: Int, _ prng: inout Random) -> FleetAct {
        let target = prng.chance(0.6) ? FleetAct.Target.leader : .node(prng.number(0...nodes - 1))
        func time(_ maxSeconds: Int) -> Duration { prng.duration(.milliseconds(10), .seconds(maxSeconds)) }
        switch kind {
        case 0, 1: return .crash(target, down: time(120))
        case 2: return .freeze(target, time(prng.pick([5, 20, 60, 3_600])), isHidden: false)
        case 3: return .freeze(target, time(prng.pick([5, 20, 60])), isHidden: true)
        case 4, 5: return .cutDatabase(target, prng.pick(FleetAct.Direction.allCases), time(prng.pick([8, 60])))
        case 6: return .cutProvider(target, prng.pick(FleetAct.Direction.allCases), time(prng.pick([30, 300])))
        case 7: return .loseRoute(target, time(120))
        case 8: return .slowQueries(target, time(60))
        case 9: return .databaseDown(time(prng.pick([3, 15, 120])))
        case 10: return .promote(down: time(20))
        case 11: return .standbyLags(time(30))
        case 12: return .siteFails(down: time(20))
        case 13: return prng.chance(0.5) ? .backUp : .restore(down: time(20), asOtherSystem: prng.chance(0.5))
        case 14: return .stallCommit(time(30))
        case 20: return .stallConnections(target, .there, prng.duration(.seconds(5), .seconds(10)))
        case 15: return .cloneState(target, isSameMachine: prng.chance(0.5), time(60))
        default:
            return prng.chance(0.5)
                ? .providerFails(time(200)) : .stepDatabaseClock(.seconds(prng.number(-3_600...3_600)))
        }
    }
}
