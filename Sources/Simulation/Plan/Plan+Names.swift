import RecordKeeping

/// Watched host names, in some plans.
extension Plan {
    /// Whether an administrator watches host names.
    var hasNames: Bool { !isLarge && !isContended && Self.series(seed) == nil && seed % 3 == 1 }

    /// The host names, none of which is that of a provider.
    static let names = ["a", "b", "c"].compactMap { try? HostName("\($0).example") }

    /// Addresses that the names have at times. They are special-purpose addresses, which need no calls, and no client
    /// or file adds them.
    private static let ownAddressesOfNames =
        special(v4: 0..<6) + (1...3).map { IPAddress(high: 0x2001_0DB8_0000_0000, low: $0) }

    /// More such addresses. A name that has them has more than `Limits.addressesPerName`.
    private static let manyAddresses = special(v4: 6..<70)

    /// The number of addresses that only names have.
    static let addressesOnlyOfNames = ownAddressesOfNames.count + manyAddresses.count

    private static func special(v4 numbers: Range<UInt32>) -> [IPAddress] {
        numbers.map { IPAddress(v4: 0x0A00_0000 + $0) }
    }

    /// The addresses that a name may have, if there are few: those that only names have, and some that clients add or
    /// files list as well.
    private var fewAddressesOfNames: [IPAddress] {
        Self.ownAddressesOfNames + addresses.prefix(min(3, addresses.count - listed)) + addresses.suffix(min(2, listed))
    }

    /// The addresses that the names have at times.
    var addressesOfNames: [IPAddress] { hasNames ? fewAddressesOfNames + Self.manyAddresses : [] }

    /// Adds changes of the names and of their addresses. They are drawn separately, so that the rest of the plan stays
    /// the same.
    mutating func planNames() {
        guard hasNames else { return }
        var prng = Random(seed: seed ^ 0x9B05_688C_2B3E_6C1F)
        for name in Self.names.indices { acts.append((.zero, .changeName(name, drawn(&prng)))) }
        var time = prng.duration(.seconds(1), .seconds(60))
        while time < length {
            let name = prng.number(0...Self.names.count - 1)
            switch prng.number(0...9) {
            case 0: acts.append((time, .unwatchName(name)))
            case 1, 2, 3: acts.append((time, .watchName(name)))
            case 4:
                let duration = prng.duration(.seconds(1), .seconds(prng.pick([60, 900])))
                acts.append((time, .familyUnanswered(prng.chance(0.5) ? .v4 : .v6, duration)))
            case 5 where prng.chance(0.2):
                acts.append((time, .changeName(name, Array(addressesOfNames.indices))))
            default: acts.append((time, .changeName(name, drawn(&prng))))
            }
            time += prng.duration(.milliseconds(1), .seconds(prng.pick([1, 60, 900])))
        }
        // The sort is stable: acts at the same time keep their order.
        acts.sort { $0.at < $1.at }
    }

    /// Draws some addresses; at times none, so that the name does not exist.
    private func drawn(_ prng: inout Random) -> [Int] {
        fewAddressesOfNames.indices.filter { _ in prng.chance(0.4) }
    }
}
