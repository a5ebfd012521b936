package import MMDBWriter

/// The networks of a database with the texts of their values, searched one by one.
package struct NetworkModel {
    private var values: [MMDBNetwork: MMDBTestReader.Text] = [:]
    private let aliases: Set<MMDBAlias>

    package init(aliases: Set<MMDBAlias>) { self.aliases = aliases }

    package var networks: [MMDBNetwork] { Array(values.keys) }

    package static func contains(_ network: MMDBNetwork, _ address: UInt128) -> Bool {
        network.prefixLength == 0 || (network.address ^ address) >> UInt128(128 - network.prefixLength) == 0
    }

    /// Returns the last address of a network.
    package static func last(of network: MMDBNetwork) -> UInt128 {
        network.address
            | (network.prefixLength == 0 ? .max : ~(UInt128.max << UInt128(128 - network.prefixLength)))
    }

    /// Adds a network, or replaces its value. An IPv4-mapped network is stored as its IPv4 network.
    package mutating func insert(_ value: MMDBValue, for network: MMDBNetwork) throws {
        var stored = network
        if aliases.contains(.mapped), network.prefixLength >= 96, network.address >> 32 == 0xFFFF {
            stored = try MMDBNetwork(address: network.address & 0xFFFF_FFFF, prefixLength: network.prefixLength)
        }
        values[stored] = value.text
    }

    /// The aliases without a network inside: only these apply.
    package var applied: [(range: MMDBNetwork, shift: UInt128)] {
        get throws {
            try [(MMDBAlias.mapped, 0xFFFF << 32, 96, 0), (.sixToFour, 0x2002 << 112, 16, 80)]
                .filter { aliases.contains($0.0) }
                .map { (try MMDBNetwork(address: $0.1, prefixLength: $0.2), UInt128($0.3)) }
                .filter { alias in
                    !values.keys.contains {
                        $0.prefixLength >= alias.0.prefixLength && Self.contains(alias.0, $0.address)
                    }
                }
        }
    }

    /// Returns the value of the longest prefix that contains an address.
    package func lookUp(_ address: UInt128) throws -> MMDBTestReader.Text? {
        var address = address
        for (range, shift) in try applied where Self.contains(range, address) {
            address = address >> shift & 0xFFFF_FFFF
        }
        return values.filter { Self.contains($0.key, address) }.max { $0.key.prefixLength < $1.key.prefixLength }?.value
    }

    /// Returns the addresses at the edges of a network, and the same IPv4 addresses in the other notations.
    package static func probes(of network: MMDBNetwork) -> Set<UInt128> {
        let last = last(of: network)
        let ipv4 = network.address & 0xFFFF_FFFF
        return [
            network.address, network.address &- 1, last, last &+ 1, ipv4, 0xFFFF << 32 | ipv4,
            0x2002 << 112 | ipv4 << 80,
        ]
    }
}
