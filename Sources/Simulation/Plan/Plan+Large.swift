import RecordKeeping

/// The acts of a plan with many addresses and clients.
extension Plan {
    /// Fills the watch list, then adds acts at random times.
    mutating func planLarge(_ prng: inout Random) {
        let own = addresses.count - listed
        let each = prng.pick([own, own / 10, own / 40])
        var time = Duration.seconds(1)
        for first in stride(from: 0, to: own, by: each) {
            acts.append((time, .ask(client: Simulation.administrator, .add(Array(first..<min(first + each, own))))))
            time += prng.duration(.milliseconds(1), .seconds(5))
        }
        for client in 0..<clients where client % 4 == 0 {
            acts.append((prng.duration(.milliseconds(1), length), .ask(client: client, .monitor)))
        }
        // A whole list of this size takes a second to check.
        acts.append((prng.duration(time, length), .ask(client: 3, .list(page: 10_000))))
        while time < length {
            acts.append((time, largeAct(own, &prng)))
            time += prng.duration(.milliseconds(1), .seconds(30))
        }
        acts.sort { $0.at < $1.at }
    }

    private func largeAct(_ own: Int, _ prng: inout Random) -> Act {
        let client = prng.number(0...(clients - 1))
        let administrator = client / 2 * 2 + Simulation.administrator
        func some(_ sizes: [Int]) -> [Int] {
            let first = prng.number(0...(own - 1))
            return Array(first..<min(first + prng.pick(sizes), own))
        }
        switch prng.number(0...29) {
        case 0...9:
            let wait: Duration = prng.pick([.zero, .seconds(5), .seconds(90)])
            return .ask(client: client, .show(some([1, 30, 1_000]), wait: wait))
        case 10...13: return .ask(client: client, .status)
        case 14, 15: return .ask(client: client, .monitor)
        case 16: return .ask(client: client, .hangUp)
        case 17: return .ask(client: administrator % clients, .remove(some([1, 100, 5_000])))
        case 18, 19: return .ask(client: administrator % clients, .add(some([1, 100, 5_000])))
        case 20: return .ask(client: administrator % clients, .pin(some([1, 100, 5_000]), prng.chance(0.5)))
        case 21: return .ask(client: client, .history(prng.number(0...(own - 1))))
        case 22: return .ask(client: client, .stopReading(prng.duration(.milliseconds(1), .seconds(300))))
        case 23: return .changeRecord(prng.number(0...(own - 1)))
        case 24: return .loseRoute(prng.duration(.milliseconds(1), .seconds(60)))
        case 25: return .fault(prng.pick(Self.faults), calls: prng.number(1...20))
        case 26: return .diskFails(prng.duration(.milliseconds(10), .seconds(60)))
        case 27: return .diskSlow(prng.duration(.milliseconds(10), .seconds(60)))
        case 28:
            return prng.chance(0.3) ? .crash(down: prng.duration(.milliseconds(10), .seconds(60))) : .routeNoise(100)
        default: return .providerDown(prng.duration(.seconds(1), .seconds(60)))
        }
    }
}
