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
    /// The longest duration of a snapshot.
    let maxSnapshot: Duration
    /// The acts in order of time. A plan with fewer acts is also valid.
    package var acts: [(at: Duration, act: FleetAct)] = []

    package init(seed: UInt64, length: Duration) {
        var prng = Random(seed: seed)
        (self.seed, self.length) = (seed, length)
        nodes = prng.number(2...prng.pick([3, 3, 5, 7]))
        addresses = prng.number(4...12)
        quota = prng.pick([3, 4, 6])
        isSynchronous = prng.chance(0.5)
        areClocksCorrect = prng.chance(0.75)
        let spread = areClocksCorrect ? 0.0004 : 0.19
        rates = (0..<nodes).map { _ in 1 + Double.random(in: -spread...spread, using: &prng) }
        noise = prng.pick([0, 0, 0.005, 0.03])
        hintLoss = prng.pick([0, 0.2, 1])
        journalRetention = prng.pick([.seconds(120), .seconds(600)])
        maxSnapshot = prng.pick([.milliseconds(50), .seconds(2), .seconds(40)])
        // A run with many faults of one kind and none of another finds errors that an even mixture never finds.
        let kinds = (0...16).flatMap { Array(repeating: $0, count: prng.pick([0, 0, 1, 1, 4])) }
        let changes = prng.pick([0.2, 0.5, 0.8])
        let maxPause = Duration.seconds(prng.pick([8, 40, 200]))
        for address in 0..<addresses / 2 {
            acts.append((.seconds(1), .change(node: 0, isAddition: true, address: address, patience: .seconds(60))))
        }
        var time = Duration.seconds(30)
        while time < length {
            let isChange = kinds.isEmpty || prng.chance(changes)
            acts.append((time, isChange ? change(&prng) : fault(prng.pick(kinds), &prng)))
            time += prng.duration(.milliseconds(1), maxPause)
        }
    }

    private func change(_ prng: inout Random) -> FleetAct {
        .change(
            node: prng.number(0...nodes - 1), isAddition: prng.chance(0.7), address: prng.number(0...addresses - 1),
            patience: prng.pick([.seconds(1), .seconds(10), .seconds(30)]))
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
        case 15: return .cloneState(target, isSameMachine: prng.chance(0.5), time(60))
        default:
            return prng.chance(0.5)
                ? .providerFails(time(200)) : .stepDatabaseClock(.seconds(prng.number(-3_600...3_600)))
        }
    }
}
