import RecordKeeping

/// A small MMDB file of a test, with 24-bit records.
package struct MMDBSample {
    package var type = "GeoLite2-City"
    package var description: SampleValue = ["de": "Probe", "en": "a sample"]
    package var buildEpoch: UInt64 = 1_700_000_000
    package var ipVersion: UInt16 = 6
    /// The networks, such as "192.0.2.0/24", with the offsets of their values in the data section.
    private var networks: [(bits: [Bool], offset: Int)] = []
    /// The values before the metadata.
    package private(set) var data: [UInt8] = []
    /// Members that replace those of the metadata, or are added at its beginning.
    package var metadata: [(String, SampleValue)] = []

    package init(type: String = "GeoLite2-City", _ values: KeyValuePairs<String, SampleValue> = [:]) throws {
        self.type = type
        for (network, value) in values { try add(value, for: network) }
    }

    package mutating func add(_ value: SampleValue, for network: String) throws {
        try add(offset: append(value), for: network)
    }

    /// Appends a value without an address, and returns its offset.
    package mutating func append(_ value: SampleValue) -> Int {
        data += value.encoded
        return data.count - value.encoded.count
    }

    package mutating func add(offset: Int, for network: String) throws {
        let parts = network.split(separator: "/")
        let address = try IPAddress(String(parts[0]))
        let bytes = address.networkOrder
        let all: [Bool] = bytes.flatMap { byte in (0..<8).map { byte << $0 & 0x80 != 0 } }
        guard parts.count == 2, let prefix = Int(parts[1]), prefix <= all.count else {
            throw InvalidNetwork(network: network)
        }
        // In an IPv6 tree, IPv4 addresses are in ::/96.
        let start = address.family == .v4 && ipVersion == 6 ? [Bool](repeating: false, count: 96) : []
        networks.append((start + all.prefix(prefix), offset))
    }

    private struct InvalidNetwork: Error {
        let network: String
    }

    package var bytes: [UInt8] {
        var nodes: [[TreeRecord]] = [[.none, .none]]
        for (bits, offset) in networks {
            var node = 0
            for (depth, bit) in bits.enumerated() {
                let side = bit ? 1 : 0
                if depth == bits.count - 1 {
                    nodes[node][side] = .data(offset)
                } else if case .node(let next) = nodes[node][side] {
                    node = next
                } else {
                    nodes.append([.none, .none])
                    nodes[node][side] = .node(nodes.count - 1)
                    node = nodes.count - 1
                }
            }
        }
        let tree = nodes.flatMap { $0.flatMap { SampleValue.bigEndian(UInt64($0.number(nodes.count)), 3) } }
        let marker: [UInt8] = [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)
        return tree + [UInt8](repeating: 0, count: 16) + data + marker + metadataValue(nodes.count).encoded
    }

    private enum TreeRecord {
        case none
        case node(Int)
        case data(Int)

        func number(_ nodeCount: Int) -> Int {
            switch self {
            case .none: nodeCount
            case .node(let index): index
            case .data(let offset): nodeCount + 16 + offset
            }
        }
    }

    private func metadataValue(_ nodeCount: Int) -> SampleValue {
        let members: [(String, SampleValue)] = [
            ("binary_format_major_version", .uint16(2)), ("binary_format_minor_version", .uint16(0)),
            ("build_epoch", .uint64(buildEpoch)), ("database_type", .string(type)), ("description", description),
            ("ip_version", .uint16(ipVersion)), ("languages", ["en"]), ("node_count", .uint32(UInt32(nodeCount))),
            ("record_size", .uint16(24)),
        ]
        let names = Set(metadata.map(\.0))
        return .map(metadata + members.filter { !names.contains($0.0) })
    }
}
