import MMDBReading
import MMDBWriter

/// Databases of `MMDBWriter`, read back by libmaxminddb.
extension FuzzTarget {
    /// Each address has the value of the longest prefix that contains it. The input selects the networks, their values
    /// and the aliases.
    static func testDatabase(_ input: [UInt8]) throws {
        var choices = DatabaseChoices(input)
        let aliases = choices.aliases()
        var builder = MMDBBuilder(
            MMDBMetadata(databaseType: "T", description: ["en": "D"], languages: ["en"], buildEpoch: 1_700_000_000),
            aliases: aliases)
        var model = NetworkModel(aliases: aliases)
        var probes: Set<UInt128> = [0, 1, .max]
        while !choices.isEmpty, model.networks.count < maxNetworks {
            let network = try choices.network()
            let value = choices.value(depth: 0)
            do throws(MMDBError) {
                try builder.insert(choices.isPart() ? try builder.store(value) : value, for: network)
            } catch .tooManyValues, .tooMuchText {
                // The limits are part of the interface, and nothing is inserted.
                continue
            }
            try model.insert(value, for: network)
            probes.formUnion(NetworkModel.probes(of: network))
        }
        var bytes: [UInt8] = []
        let file = try builder.finish()
        file.write { bytes += $0 }
        try expect(bytes.count == file.byteCount, "\(bytes.count) bytes instead of \(file.byteCount)")
        let database = try DatabaseFile(bytes)
        for address in probes {
            let (value, length) = try database.lookUp(address)
            let expected = try model.lookUp(address)
            try expect(value == expected, "\(String(address, radix: 16)): \(value ?? "-"), not \(expected ?? "-")")
            // The answer holds for the whole network that the reader reports.
            let network = try MMDBNetwork(address: address, prefixLength: length)
            for other in [network.address, NetworkModel.last(of: network)] {
                try expect(
                    try model.lookUp(other) == expected,
                    "\(String(address, radix: 16))/\(length) contains \(String(other, radix: 16)) with another value"
                )
            }
        }
    }

    /// Maximum number of networks; comparing them takes time that grows with the square of their number.
    private static let maxNetworks = 40
}
