import MMDBWriter

/// Databases of tests.
enum SampleDatabase {
    static let metadata = MMDBMetadata(
        databaseType: "T", description: ["en": "D"], languages: ["en"], buildEpoch: 1_700_000_000)

    /// Returns the bytes of a database, and the sizes of the portions in which they were written.
    static func bytes(
        _ values: [(MMDBNetwork, MMDBValue)], aliases: Set<MMDBAlias> = []
    ) throws(MMDBError) -> (file: [UInt8], portions: [Int]) {
        var builder = MMDBBuilder(metadata, aliases: aliases)
        for (network, value) in values { try builder.insert(value, for: network) }
        let file = try builder.finish()
        var (bytes, portions): ([UInt8], [Int]) = ([], [])
        file.write { portion in
            bytes += portion
            portions.append(portion.count)
        }
        return (bytes, portions)
    }

    /// Returns the network of an IPv6 address from its 16-bit groups; the remaining groups are zero.
    static func network(_ groups: UInt16..., prefix: Int) throws(MMDBError) -> MMDBNetwork {
        var address: UInt128 = 0
        for index in 0..<8 { address = address << 16 | UInt128(index < groups.count ? groups[index] : 0) }
        return try MMDBNetwork(address: address, prefixLength: prefix)
    }

    static func ipv4(_ address: UInt32, prefix: Int = 32) throws(MMDBError) -> MMDBNetwork {
        try MMDBNetwork(address: UInt128(address), prefixLength: 96 + prefix)
    }
}

/// A pseudorandom number generator (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
