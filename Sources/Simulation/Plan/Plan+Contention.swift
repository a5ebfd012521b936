import RecordKeeping

/// Plans with periods in which urgent refreshes, background refreshes and the lookups of several users compete for a
/// small quota.
extension Plan {
    static func isContended(_ seed: UInt64) -> Bool { seed % 8 == 2 }

    static let contendedAddresses = 500
    /// Seven clients of three users, and six administrators.
    static let contendingClients = 13

    /// The addresses that are watched during an episode, and those that each user and the administrators look up.
    private static let refreshed = Array(0..<200)
    private static func lookedUp(by user: Int) -> Range<Int> { 200 + 70 * user..<270 + 70 * user }

    /// Returns the only provider of a plan with contention. Its quota is small, so that a few addresses suffice to
    /// exceed it.
    static func scarceProvider(_ seed: UInt64) -> SimulatedProvider.Character {
        var prng = Random(seed: seed ^ 0x1F3D_5B79_A2C4_E6F8)
        return .init(
            number: 0, kind: .undocumented, quotas: [.single: prng.pick([1, 3, 9]), .batch: prng.number(1...3)])
    }

    /// Adds episodes of contention. Between the episodes, there are only the other acts of the plan, or none.
    mutating func planContention() {
        guard isContended else { return }
        var prng = Random(seed: seed ^ 0x8E6C_4A28_0719_3B5D)
        if prng.chance(0.5) {
            trouble = .none
            acts = []
        }
        var time = prng.duration(.seconds(1), .seconds(600))
        while time < length {
            let end = time + .seconds(prng.number(300...1_500))
            acts.append((time, .ask(client: Simulation.administrator, .add(Self.refreshed))))
            while time < end {
                acts.append((time, contendingAct(&prng)))
                time += .milliseconds(prng.number(1...10_000))
            }
            acts.append((time, .ask(client: Simulation.administrator, .remove(Self.refreshed))))
            time += prng.duration(.seconds(600), .seconds(14_400))
        }
        // The sort is stable: acts at the same time keep their order.
        acts.sort { $0.at < $1.at }
    }

    private func contendingAct(_ prng: inout Random) -> Act {
        let administrator = 3 + 2 * prng.number(0...4)
        let wait: Duration = prng.pick([.zero, .seconds(30), .seconds(95), .seconds(95), .seconds(110), .seconds(200)])
        if prng.chance(0.35) {
            return .ask(
                client: administrator, .show(Array(Self.refreshed.shuffled(using: &prng).prefix(50)), wait: wait))
        }
        if prng.chance(0.1) {
            let few = Self.lookedUp(by: 3).shuffled(using: &prng).prefix(prng.number(1...5))
            return .ask(client: administrator, .show(Array(few), wait: wait))
        }
        let client = 2 * prng.number(0...6)
        let some = Self.lookedUp(by: client / 2 % 3).shuffled(using: &prng).prefix(prng.pick([1, 20, 60]))
        return .ask(client: client, .show(Array(some), wait: wait))
    }
}
