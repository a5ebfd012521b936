/// An assumption about the world that the simulation violates, so that the daemon cannot keep a promise. The checks
/// must detect the broken promise.
package enum Sabotage: CaseIterable, Sendable {
    /// The disk acknowledges all commits and writes nothing.
    case forgetfulDisk
    /// The provider allows fewer requests than it documents.
    case strictProvider
    /// The kernel reports no route changes.
    case silentKernel
    /// The machine's clocks run ten times too fast.
    case fastClock
    /// Replies to clients get lost.
    case lostAnswers

    /// The promise that the daemon cannot keep in such a world: the end of its name.
    package var promise: String {
        switch self {
        case .forgetfulDisk: "an acknowledged change is on disk"
        case .strictProvider: "the quota is never exceeded"
        case .silentKernel: "is reported at once"
        case .fastClock: "no call before the interval ends"
        case .lostAnswers: "every call gets its reply in time"
        }
    }

    /// Returns the first seed in whose run the broken promise is detected, or nil if none of the seeds detects it.
    package func firstDetection(in seeds: ClosedRange<UInt64>, length: Duration) throws -> UInt64? {
        try seeds.first { seed in
            var plan = Plan(seed: seed, length: length)
            plan.sabotage = self
            return try Simulation.run(plan).violation?.promise.hasSuffix(promise) == true
        }
    }
}
