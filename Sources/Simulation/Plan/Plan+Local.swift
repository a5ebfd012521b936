import RecordKeeping

/// Local databases, in some plans.
extension Plan {
    /// Whether the daemon reads local databases for most of the run.
    var hasLocalDatabases: Bool { !isLarge && seed % 16 == 14 }

    /// Adds new versions of the databases, and changes between the local and the remote provider. They are drawn
    /// separately, so that the rest of the plan stays the same.
    mutating func planLocalDatabases() {
        guard hasLocalDatabases else { return }
        var prng = Random(seed: seed ^ 0xC2B2_AE3D_27D4_EB4F)
        let maxPause = prng.pick([30, 1_800, 7_200])
        var time = prng.duration(.seconds(1), .seconds(600))
        while time < length {
            // Sometimes an earlier version returns, or the files cannot be read.
            acts.append((time, .replaceDatabases(prng.chance(0.15) ? nil : Int64(prng.number(1...6)))))
            let later = time + prng.duration(.microseconds(1), .seconds(prng.pick([1, 60])))
            let down = prng.duration(.milliseconds(10), .seconds(prng.pick([1, 60])))
            if prng.chance(0.2) { acts.append((later, .crash(down: down))) }
            if prng.chance(0.15) { acts.append((later, .useLocalDatabases(prng.chance(0.7), down: down))) }
            time += prng.duration(.seconds(1), .seconds(maxPause))
        }
        // The sort is stable: acts at the same time keep their order.
        acts.sort { $0.at < $1.at }
    }
}
