import RecordKeeping

/// Watches that end by themselves, in some plans.
extension Plan {
    /// Whether clients add addresses for a time.
    var hasTemporaryWatches: Bool { !isLarge && !isContended && Self.series(seed) == nil && seed % 3 == 2 }

    /// Adds requests to watch addresses for a time. They are drawn separately, so that the rest of the plan stays the
    /// same.
    mutating func planWatchEnds() {
        guard hasTemporaryWatches else { return }
        var prng = Random(seed: seed ^ 0x510E_527F_ADE6_82D1)
        var time = prng.duration(.seconds(1), .seconds(600))
        while time < length {
            let numbers = Array((0..<(addresses.count - listed)).shuffled(using: &prng).prefix(prng.pick([1, 3, 20])))
            let span = prng.duration(.milliseconds(1), .seconds(prng.pick([1, 60, 3_600])))
            acts.append((time, .ask(client: Simulation.administrator, .addFor(numbers, span))))
            // Often, another client postpones the end, or adds the addresses for good, around the time of the end.
            if prng.chance(0.3) {
                let later: Act.ClientAction = prng.chance(0.5) ? .add(numbers) : .addFor(numbers, span * 2)
                let moment = time + span + prng.duration(.milliseconds(-20), .milliseconds(20))
                acts.append((max(time, moment), .ask(client: Simulation.administrator, later)))
            }
            time += prng.duration(.seconds(1), .seconds(1_800))
        }
        // The sort is stable: acts at the same time keep their order.
        acts.sort { $0.at < $1.at }
    }
}
