import RecordKeeping

/// The limits of lookups and listeners in a plan. They are drawn separately, so that the rest of the plan stays the
/// same.
extension Plan {
    /// Returns low limits in one of four plans.
    static func capacity(_ seed: UInt64) -> Capacity {
        var prng = Random(seed: seed ^ 0xA54F_F53A_5F1D_36F1)
        var capacity = Capacity()
        guard prng.chance(0.25) else { return capacity }
        capacity.lookups = prng.pick([0, 1, 2, 5])
        capacity.listeners = prng.pick([0, 1, 2])
        capacity.reserve = 1
        return capacity
    }

    /// Returns low limits in half of the plans. Only a few addresses of these plans are not watched.
    static func largeCapacity(_ seed: UInt64) -> Capacity {
        var prng = Random(seed: seed ^ 0xA54F_F53A_5F1D_36F1)
        var capacity = Capacity()
        guard prng.chance(0.5) else { return capacity }
        capacity.lookups = prng.pick([0, 20])
        capacity.listeners = prng.pick([10, 40])
        capacity.reserve = 5
        return capacity
    }
}
