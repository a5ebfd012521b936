import RecordKeeping
import Simulation

/// Acts at exact distances, for defects that acts at random times almost never reveal: each needs several faults within
/// a second or two.
///
/// A plan with a schedule repeats it with different distances, and has no other acts.
enum FleetSchedule: CaseIterable, Hashable {
    /// A poll is slow, and the leader is cut off after a heartbeat that it sent after that poll.
    case cutDuringSlowPoll
    /// The heartbeats of the leader stall but its commits do not, and its last calls are lost on their way.
    case callsWithoutHeartbeats
    /// Calls are lost at a promotion, and a record expires between the takeover and the end of the quota window.
    case promotionWithinWindow
    /// A commit is lost in a crash, and its resolution survives another crash that loses the reply.
    case crashOfResolution
    /// A node registers, and a promotion loses its registration.
    case promotionAfterRegistration
    /// A commit is lost at a promotion before the leader has stored it.
    case promotionBeforeStoring
    /// A commit is visible after a crash although the standby, which is promoted soon after, does not have it.
    case promotionAfterReading
    /// A proposal arrives minutes after its withdrawal.
    case lateProposal

    /// The schedule of a seed; nil if its plan has acts at random times.
    init?(seed: UInt64) {
        guard seed % 4 == 0 else { return nil }
        self = Self.allCases[Int(seed / 4 % UInt64(Self.allCases.count))]
    }

    /// Whether a COMMIT has to wait for the standby; nil if it does not matter.
    var isSynchronous: Bool? {
        switch self {
        case .crashOfResolution, .promotionAfterReading: true
        case .promotionWithinWindow, .promotionAfterRegistration, .promotionBeforeStoring: false
        case .cutDuringSlowPoll, .callsWithoutHeartbeats, .lateProposal: nil
        }
    }

    /// Whether the clocks have the extreme rates that the protocol permits: the first is the slowest, the others are
    /// the fastest. Otherwise, they are correct.
    var hasExtremeRates: Bool { self == .cutDuringSlowPoll }

    /// The time from one repetition to the next.
    static let period = Duration.seconds(150)

    /// The acts of one repetition.
    func acts(at time: Duration, nodes: Int, _ prng: inout Random) -> [(at: Duration, act: FleetAct)] {
        let node = prng.number(0...nodes - 1)
        func change(_ address: Int, isAddition: Bool = true, limit: Int = 10) -> FleetAct {
            .change(node: node, isAddition: isAddition, address: address, timeLimit: .seconds(limit))
        }
        switch self {
        case .cutDuringSlowPoll:
            // The slow node leads again once the others have been away.
            let start = time + .seconds(50)
            let slow = prng.duration(.milliseconds(1_200), .milliseconds(2_700))
            return (1..<nodes).map { (time, .crash(.node($0), down: .seconds(20))) }
                + (0..<nodes).map { (start, .stallPolls(.node($0), slow)) }
                + [(start + slow, .cutDatabase(.leader, .there, .seconds(15)))]
        case .callsWithoutHeartbeats:
            // The records of the addresses have expired when they are added again.
            let start = time + .seconds(70)
            let addition = start + prng.duration(.milliseconds(2_000), .milliseconds(5_500))
            return (0..<4).map { (time, change($0, isAddition: false)) } + [
                (start, .stallBeats(.leader, .seconds(15))), (start, .cutProvider(.leader, .there, .seconds(12))),
                (addition, change(0)), (addition, change(1)),
            ]
        case .promotionWithinWindow:
            // The first record expires when a new leader leads after 9 s, but the window of 12 s has not ended.
            let expiry = time + .seconds(135)
            let start = expiry - prng.duration(.milliseconds(11_000), .milliseconds(11_900))
            return (0..<6).map { (time, change($0, isAddition: false)) }
                + [(expiry - .seconds(60), change(0)), (start - .milliseconds(50), .standbyLags(.seconds(60)))]
                + (1...3).map { (start, change($0)) }
                + [(start + prng.duration(.milliseconds(400), .milliseconds(900)), .promote(down: .milliseconds(10)))]
        case .crashOfResolution:
            // The proposal does not wait for the standby. The lease does not end before the second resolution.
            return [
                (time, .stallCommit(.milliseconds(2_200))), (time + .milliseconds(1), change(0)),
                (time + .milliseconds(1_200), .standbyLags(.milliseconds(3_500))),
                (time + prng.duration(.milliseconds(1_500), .seconds(2)), .databaseDown(.milliseconds(10))),
                (time + prng.duration(.milliseconds(3_200), .milliseconds(3_900)), .databaseDown(.milliseconds(10))),
            ]
        case .promotionAfterRegistration:
            return [
                (time, .standbyLags(.seconds(60))),
                (time + .milliseconds(100), .crash(.node(node), down: .milliseconds(500))),
                (time + prng.duration(.seconds(2), .seconds(8)), .promote(down: .milliseconds(10))),
            ]
        case .promotionBeforeStoring:
            let lag = prng.duration(.milliseconds(10), .milliseconds(300))
            let promotion = time + lag + .milliseconds(50)
            return [
                (time, .standbyLags(.seconds(60))),
                (time + .milliseconds(5), .stallConnections(.leader, .back, .milliseconds(2_500))),
                (time + .milliseconds(6), .slowDisk(.leader, .milliseconds(5_000))),
            ] + (0..<nodes).map { (time + .milliseconds(10), self.change($0, &prng)) } + [
                (promotion, .promote(down: .milliseconds(10))),
                (promotion + .milliseconds(15), .stallPolls(.leader, .milliseconds(3_000))),
            ]
        case .promotionAfterReading:
            let crash = time + prng.duration(.milliseconds(300), .milliseconds(1_500))
            let proposals = (0..<nodes).map { other in
                (time - prng.duration(.milliseconds(5), .milliseconds(400)), self.change(other, &prng))
            }
            return proposals + [
                (time, .standbyLags(.seconds(60))), (crash, .databaseDown(.milliseconds(10))),
                (crash + prng.duration(.seconds(1), .seconds(6)), .promote(down: .milliseconds(10))),
            ]
        case .lateProposal:
            return [
                (time, .delayWrites(.node(node), .milliseconds(300), by: prng.duration(.seconds(10), .seconds(500)))),
                (time + .milliseconds(2), change(prng.number(0...3), isAddition: prng.chance(0.5), limit: 1)),
            ]
        }
    }

    private func change(_ node: Int, _ prng: inout Random) -> FleetAct {
        .change(
            node: node, isAddition: prng.chance(0.5), address: prng.number(0...5), timeLimit: .seconds(10))
    }
}
