import ProviderModel
import RecordKeeping

/// Faults that are drawn from separate generators, so that the rest of each plan stays the same.
extension Plan {
    /// Adds times during which reads of the history fail.
    mutating func planReadFailures() {
        var prng = Random(seed: seed ^ 0xA54F_F53A_5F1D_36F1)
        guard prng.chance(0.3) else { return }
        add(every: .seconds(14_400), &prng) { .readsFail($0.duration(.milliseconds(10), .seconds(3_600))) }
    }

    /// Adds times during which one endpoint has a fault. In some plans, it is always the same endpoint.
    mutating func planEndpointFaults() {
        var prng = Random(seed: seed ^ 0x510E_527F_ADE6_82D1)
        guard prng.chance(0.4) else { return }
        let endpoints = prng.pick([Call.Endpoint.allCases, [.single], [.batch]])
        // An intermediary that blocks requests, and a path that does not exist, cause most of these faults.
        let faults =
            Self.faults + Array(repeating: [.forbidden, .html, .status5xx(404), .hang], count: 4).joined()
            + [0, 7, 120, 900, 7_200].map { .unavailable(.seconds($0)) }
        add(every: prng.pick([.seconds(1_200), .seconds(14_400)]), &prng) { prng in
            .endpointFault(
                prng.pick(endpoints), prng.pick(faults), prng.duration(.seconds(1), .seconds(prng.pick([60, 3_600]))))
        }
    }

    /// Adds moves of the provider to other addresses, and faults of the resolver.
    mutating func planMoves() {
        var prng = Random(seed: seed ^ 0x428A_2F98_D728_AE22)
        guard prng.chance(0.5) else { return }
        add(every: prng.pick([.seconds(1_200), .seconds(14_400)]), &prng) { .moveProvider(ProviderMove(&$0)) }
        guard prng.chance(0.5) else { return }
        add(every: .seconds(7_200), &prng) { prng in
            let time = prng.duration(.seconds(1), .seconds(prng.pick([30, 1_800])))
            return prng.chance(0.5) ? .resolverFails(time) : .resolverSlow(time)
        }
    }

    static func isQuotaUncertain(_ seed: UInt64) -> Bool { seed % 4 == 3 }

    /// Adds calls by neighbours and changes to the provider's limits.
    mutating func planQuotaChanges() {
        guard isQuotaUncertain else { return }
        var prng = Random(seed: seed ^ 0x9B05_688C_2B3E_6C1F)
        add(every: prng.pick([.seconds(300), .seconds(3_600)]), &prng) { prng in
            .neighbours(prng.pick(Call.Endpoint.allCases), calls: prng.pick([1, 1, 2, 5, 40]))
        }
        add(every: .seconds(14_400), &prng) { prng in
            .changeLimit(prng.pick(Call.Endpoint.allCases), prng.pick([1, 2, 3, 6, 14]))
        }
    }

    /// Adds acts at random times.
    ///
    /// - Parameter pause: the maximum time between two acts.
    private mutating func add(every pause: Duration, _ prng: inout Random, _ act: (inout Random) -> Act) {
        var time = prng.duration(.seconds(1), .seconds(3_600))
        while time < length {
            acts.append((time, act(&prng)))
            time += prng.duration(.seconds(60), pause)
        }
        // The sort is stable: actions at the same time keep their order.
        acts.sort { $0.at < $1.at }
    }
}
