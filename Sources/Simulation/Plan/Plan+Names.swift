import RecordKeeping

/// Watched host names, in some plans.
extension Plan {
    /// Whether an administrator watches host names.
    var hasNames: Bool { !isLarge && !isContended && Self.series(seed) == nil && seed % 3 == 1 }

    /// The host names, none of which is that of a provider.
    static let names = ["a", "b", "c"].compactMap { try? HostName("\($0).example") }

    /// The addresses that the names have at times. They are special-purpose addresses, which need no calls, and no
    /// client or file adds them.
    static let addressesOfNames = (0..<6).map { IPAddress(v4: 0x0A00_0000 + $0) }

    /// Adds changes of the names and of their addresses. They are drawn separately, so that the rest of the plan stays
    /// the same.
    mutating func planNames() {
        guard hasNames else { return }
        var prng = Random(seed: seed ^ 0x9B05_688C_2B3E_6C1F)
        for name in Self.names.indices { acts.append((.zero, .changeName(name, drawn(&prng)))) }
        var time = prng.duration(.seconds(1), .seconds(60))
        while time < length {
            let name = prng.number(0...Self.names.count - 1)
            switch prng.number(0...5) {
            case 0: acts.append((time, .unwatchName(name)))
            case 1, 2: acts.append((time, .watchName(name)))
            default: acts.append((time, .changeName(name, drawn(&prng))))
            }
            time += prng.duration(.milliseconds(1), .seconds(prng.pick([1, 60, 900])))
        }
        // The sort is stable: acts at the same time keep their order.
        acts.sort { $0.at < $1.at }
    }

    /// Draws some addresses; at times none, so that the name does not exist.
    private func drawn(_ prng: inout Random) -> [Int] {
        Self.addressesOfNames.indices.filter { _ in prng.chance(0.4) }
    }
}
