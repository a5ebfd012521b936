import MMDBReading
import Testing

@testable import MMDBWriter

/// Databases compared with a list of their networks.
@Suite struct SearchTreeTests {
    /// Returns a network close to the interesting places of the address space, so that many are nested or neighbours.
    private static func network(_ random: inout SplitMix) throws -> MMDBNetwork {
        let starts: [UInt128] = [
            0, 0x0A00_0000, 0xFFFF << 32, 0xFFFF_0A00_0000, 0x2002 << 112, 0x2002_0A00 << 96, 0x2001_0DB8 << 96,
            0x2001 << 112,
            .max, 0,
        ]
        var address = starts.randomElement(using: &random) ?? 0
        // Flips a few bits, mostly low ones.
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            address ^= 1 << UInt128.random(in: 0..<[8, 32, 128][Int.random(in: 0...2, using: &random)], using: &random)
        }
        let lengths = [0, 1, 15, 16, 17, 64, 95, 96, 97, 112, 120, 126, 127, 128, 128, 128, 128]
        let length =
            Bool.random(using: &random)
            ? lengths.randomElement(using: &random) ?? 0 : Int.random(in: 0...128, using: &random)
        return try MMDBNetwork(address: address, prefixLength: length)
    }

    @Test(arguments: 0..<200) func `each address has the value of the longest prefix`(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let allAliases: [Set<MMDBAlias>] = [[], [.mapped], [.sixToFour], [.mapped, .sixToFour]]
        let aliases = allAliases[Int(seed % 4)]
        var (values, model): ([(MMDBNetwork, MMDBValue)], NetworkModel) = ([], NetworkModel(aliases: aliases))
        var probes: Set<UInt128> = [0, 1, .max, 0xFFFF << 32, 0x2002 << 112]
        for index in 0..<[0, 1, 2, 5, 30, 120][Int(seed / 4 % 6)] {
            let network = try Self.network(&random)
            let value: MMDBValue = ["index": .uint32(UInt32(index / 3)), "text": .string("value of \(index / 2)")]
            values.append((network, value))
            try model.insert(value, for: network)
            probes.formUnion(NetworkModel.probes(of: network))
            probes.insert(UInt128.random(in: network.address...NetworkModel.last(of: network), using: &random))
        }
        let reader = try #require(MMDBTestReader(SampleDatabase.bytes(values, aliases: aliases).file))
        for address in probes {
            let (value, length) = reader.lookUp(address)
            #expect(try value == model.lookUp(address), "\(String(address, radix: 16))")
            // The answer holds for the whole network that the reader reports.
            let host = length == 128 ? 0 : UInt128.max >> UInt128(length)
            for other in [address & ~host, address | host] { #expect(try value == model.lookUp(other)) }
        }
        // Each prefix of a leaf is a node, but for the leaf itself.
        var prefixes: Set<MMDBNetwork> = [try MMDBNetwork(address: 0, prefixLength: 0)]
        let networks = try model.networks + model.applied.map(\.range)
        for network in networks {
            let isLeaf = !networks.contains {
                $0.prefixLength > network.prefixLength && NetworkModel.contains(network, $0.address)
            }
            guard isLeaf else { continue }
            for length in 0..<network.prefixLength {
                prefixes.insert(try MMDBNetwork(address: network.address, prefixLength: length))
            }
            if model.networks.contains(network) {
                #expect(reader.lookUp(network.address).prefixLength == max(1, network.prefixLength))
            }
        }
        #expect(reader.nodeCount == prefixes.count)
    }

    @Test func `the order of insertion does not change the tree`() throws {
        var random = SplitMix(state: 7)
        var networks: Set<MMDBNetwork> = []
        while networks.count < 100 { networks.insert(try Self.network(&random)) }
        let value: MMDBValue = ["name": "value"]
        let sorted = networks.sorted { ($0.address, $0.prefixLength) < ($1.address, $1.prefixLength) }
        let file = try SampleDatabase.bytes(sorted.map { ($0, value) }).file
        #expect(try SampleDatabase.bytes(sorted.reversed().map { ($0, value) }).file == file)
        #expect(try SampleDatabase.bytes(sorted.shuffled(using: &random).map { ($0, value) }).file == file)
    }

    @Test func `an IPv4 address is found by its IPv6 notations`() throws {
        let (file, _) = try SampleDatabase.bytes(
            [(SampleDatabase.ipv4(0x0102_0304), "x")], aliases: Set(MMDBAlias.allCases))
        let reader = try #require(MMDBTestReader(file))
        for address: UInt128 in [0x0102_0304, 0xFFFF_0102_0304, 0x2002_0102_0304 << 80] {
            #expect(reader.lookUp(address).value == "\"x\"")
            #expect(reader.lookUp(address + (address >> 80 == 0 ? 1 : 1 << 80)).value == nil)
        }
        // The second 32 bits of a Teredo address are those of its server.
        #expect(reader.lookUp(0x2001_0000_0102_0304 << 64).value == nil)
    }

    @Test func `the part of the tree for IPv4 begins at node 96`() throws {
        // libmaxminddb before version 1.13 multiplies the number of this node by the size of a node in 32 bits.
        let (file, _) = try SampleDatabase.bytes(
            [(SampleDatabase.network(0x2001, prefix: 16), "y"), (SampleDatabase.ipv4(0xFFFF_FFFF), "x")],
            aliases: [.mapped])
        let reader = try #require(MMDBTestReader(file))
        // Node 80 is that of ::/80. On its right, the alias follows 15 set bits later.
        #expect(reader.nodeCount == 128 + 15 + 13)
        #expect(reader.lookUp(0xFFFF_FFFF_FFFF).prefixLength == 128)
    }

    @Test(arguments: [0, 1, 95, 96]) func `an alias leads to a network of all IPv4 addresses`(prefix: Int) throws {
        let (file, _) = try SampleDatabase.bytes(
            [(SampleDatabase.network(prefix: prefix), "x")], aliases: Set(MMDBAlias.allCases))
        let reader = try #require(MMDBTestReader(file))
        for address: UInt128 in [0, 0xFFFF_FFFF, 0xFFFF_0102_0304, 0x2002_0102_0304 << 80] {
            #expect(reader.lookUp(address).value == "\"x\"")
        }
    }

    @Test func `a network inside of an alias is found, and the alias is left out`() throws {
        let (file, _) = try SampleDatabase.bytes(
            [
                (SampleDatabase.network(0x2002, 0x0102, 0x0304, prefix: 48), "six"),
                (SampleDatabase.ipv4(0x0102_0304), "four"),
            ],
            aliases: Set(MMDBAlias.allCases))
        let reader = try #require(MMDBTestReader(file))
        #expect(reader.lookUp(0x2002_0102_0304_0000 << 64).value == "\"six\"")
        #expect(reader.lookUp(0x2002_0102_0305_0000 << 64).value == nil)
        #expect(reader.lookUp(0xFFFF_0102_0304).value == "\"four\"")
    }

    @Test func `an IPv4-mapped network is stored as IPv4`() throws {
        let (file, _) = try SampleDatabase.bytes(
            [(MMDBNetwork(address: 0xFFFF_0102_0304, prefixLength: 128), "x")], aliases: [.mapped])
        #expect(MMDBTestReader(file)?.lookUp(0x0102_0304).value == "\"x\"")
        #expect(MMDBTestReader(file)?.lookUp(0xFFFF_0102_0304).value == "\"x\"")
    }
}
