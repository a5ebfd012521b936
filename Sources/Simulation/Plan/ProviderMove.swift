import RecordKeeping

/// A move of the provider to another address: the delay of each step.
package struct ProviderMove: Hashable, Sendable {
    /// The time until the name server reports the new address. A long time stands for a cached answer.
    let nameChange: Duration
    /// The time until the old address loses its route.
    let removal: Duration
    /// The time until the new address has a route.
    let addition: Duration

    init(_ prng: inout Random) {
        func delay(_ maxSeconds: [Int]) -> Duration {
            prng.duration(.microseconds(1), .seconds(prng.pick(maxSeconds)))
        }
        nameChange = delay([1, 1, 60, 1_800])
        removal = delay([1, 60, 1_800])
        // Usually the new address has a route before it is needed.
        addition = delay([0, 0, 1, 600])
    }

    var delays: [(step: SimulatedRoutes.MoveStep, delay: Duration)] {
        [(.nameChanges, nameChange), (.oldRouteRemoved, removal), (.newRouteAdded, addition)]
    }
}
