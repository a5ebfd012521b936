import MMDBReading
import Testing

@testable import MMDBWriter

/// Small databases, byte by byte.
@Suite struct MMDBBuilderTests {
    private static let separator = [UInt8](repeating: 0, count: 16)

    /// The metadata of `SampleDatabase`, with integers of one byte.
    private static func metadata(nodeCount: UInt8) -> [UInt8] {
        func string(_ text: String) -> [UInt8] { [0x40 | UInt8(text.utf8.count)] + Array(text.utf8) }
        return [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8) + [0xE9]
            + string("binary_format_major_version") + [0xA1, 2]
            + string("binary_format_minor_version") + [0xA0]
            + string("build_epoch") + [0x04, 0x02, 0x65, 0x53, 0xF1, 0x00]
            + string("database_type") + string("T")
            + string("description") + [0xE1] + string("en") + string("D")
            + string("ip_version") + [0xA1, 6]
            + string("languages") + [0x01, 0x04] + string("en")
            + string("node_count") + [0xC1, nodeCount]
            + string("record_size") + [0xA1, 24]
    }

    @Test func `a database without networks has a root without values`() throws {
        let (file, _) = try SampleDatabase.bytes([])
        #expect(file == [0, 0, 1, 0, 0, 1] + Self.separator + Self.metadata(nodeCount: 1))
    }

    @Test func `one network is a record of the root`() throws {
        let (file, _) = try SampleDatabase.bytes([(SampleDatabase.network(0x8000, prefix: 1), "x")])
        #expect(file == [0, 0, 1, 0, 0, 17] + Self.separator + [0x41, 0x78] + Self.metadata(nodeCount: 1))
    }

    @Test func `a network of all addresses is both records of the root`() throws {
        let (file, _) = try SampleDatabase.bytes([(SampleDatabase.network(prefix: 0), "x")])
        #expect(file == [0, 0, 17, 0, 0, 17] + Self.separator + [0x41, 0x78] + Self.metadata(nodeCount: 1))
    }

    @Test func `left children precede right ones`() throws {
        let (file, _) = try SampleDatabase.bytes([
            (SampleDatabase.network(0xC000, prefix: 2), "z"), (SampleDatabase.network(0x4000, prefix: 2), "x"),
        ])
        let tree: [UInt8] = [0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 21, 0, 0, 3, 0, 0, 19]
        let data: [UInt8] = [0x41, 0x7A, 0x41, 0x78]
        #expect(file == tree + Self.separator + data + Self.metadata(nodeCount: 3))
    }

    @Test func `a network inside another one is cut out of it`() throws {
        let (file, _) = try SampleDatabase.bytes([
            (SampleDatabase.network(0x8000, prefix: 1), "x"), (SampleDatabase.network(0xA000, prefix: 3), "y"),
        ])
        // The root; 8000::/1 with "x" on the right; 8000::/2 with "x" on the left.
        let tree: [UInt8] = [0, 0, 3, 0, 0, 1, 0, 0, 2, 0, 0, 19, 0, 0, 19, 0, 0, 21]
        let data: [UInt8] = [0x41, 0x78, 0x41, 0x79]
        #expect(file == tree + Self.separator + data + Self.metadata(nodeCount: 3))
    }

    @Test(arguments: [0, 1]) func `the last value of a network counts`(prefix: Int) throws {
        let network = try SampleDatabase.network(0x8000, prefix: prefix)
        let (file, _) = try SampleDatabase.bytes([(network, "x"), (network, "y")])
        let data: [UInt8] = [0x41, 0x78, 0x41, 0x79]
        let left: UInt8 = prefix == 0 ? 19 : 1
        #expect(file == [0, 0, left, 0, 0, 19] + Self.separator + data + Self.metadata(nodeCount: 1))
    }

    @Test func `a finished builder is empty`() throws {
        var builder = MMDBBuilder(SampleDatabase.metadata, aliases: [])
        try builder.insert("x", for: SampleDatabase.network(0x8000, prefix: 1))
        #expect(try builder.finish().byteCount == builder.finish().byteCount + 2)
    }

    @Test func `portions have a bounded size and add up to the announced size`() throws {
        var random = SplitMix(state: 1)
        var builder = MMDBBuilder(SampleDatabase.metadata)
        for _ in 0..<2_000 {
            let network = try MMDBNetwork(address: UInt128(random.next()) << 64, prefixLength: 128)
            try builder.insert(.string(String(repeating: "x", count: 600) + "\(random.next())"), for: network)
        }
        let file = try builder.finish()
        var sizes: [Int] = []
        file.write { sizes.append($0.count) }
        #expect(sizes.reduce(0, +) == file.byteCount)
        #expect(sizes.allSatisfy { 0 < $0 && $0 <= 1 << 20 })
        #expect(sizes.count > 10)
    }

    @Test func `an error of the caller ends the writing`() throws {
        struct DiskFull: Error {}
        var builder = MMDBBuilder(SampleDatabase.metadata)
        var calls = 0
        #expect(throws: DiskFull.self) {
            try builder.finish().write { _ throws(DiskFull) in
                calls += 1
                throw DiskFull()
            }
        }
        #expect(calls == 1)
    }

    // MARK: Limits

    @Test func `records become wider as the data section grows`() throws {
        let text = String(repeating: "x", count: 2_000_000)
        var values: [(MMDBNetwork, MMDBValue)] = []
        for index in 0..<9 {
            values.append((try SampleDatabase.network(UInt16(index) << 8, prefix: 8), .string("\(index)" + text)))
        }
        let narrow = try #require(MMDBTestReader(SampleDatabase.bytes(Array(values.dropLast())).file))
        #expect(narrow.recordSize == 24)
        values.append((try SampleDatabase.network(0xFFFF, prefix: 16), "last"))
        let wide = try #require(MMDBTestReader(SampleDatabase.bytes(values).file))
        #expect(wide.recordSize == 28)
        #expect(wide.lookUp(.max).value == "\"last\"")
        #expect(wide.lookUp(0x0301 << 112).value == "\"3\(text)\"")
    }

    @Test func `metadata above the limit of the format is refused`() throws {
        var metadata = SampleDatabase.metadata
        let base = Self.metadata(nodeCount: 1).count
        // A long text has a size field of three bytes; the shortest has none.
        let room = MMDBLimits.metadataBytes - base - 3 + 1
        metadata.description = ["en": String(repeating: "x", count: room)]
        var fitting = MMDBBuilder(metadata, aliases: [])
        _ = try fitting.finish()
        metadata.description = ["en": String(repeating: "x", count: room + 1)]
        var builder = MMDBBuilder(metadata, aliases: [])
        #expect(throws: MMDBError.metadataTooLarge(bytes: 131_073)) { try builder.finish() }
    }

    @Test func `a database above the size limit is refused`() throws {
        let file = try SampleDatabase.bytes([(SampleDatabase.network(1, prefix: 128), "some text")]).file
        let nodes = 128
        let size = nodes + file.count - nodes * 6
        for (limit, isAllowed) in [
            (size, true), (size - 1, false), (130, false), (100, false), (12, false), (9, false),
        ] {
            func build() throws(MMDBError) -> Int {
                var builder = MMDBBuilder(SampleDatabase.metadata, aliases: [], maxNodesAndBytes: limit)
                try builder.insert("some text", for: SampleDatabase.network(1, prefix: 128))
                return try builder.finish().nodeCount
            }
            if isAllowed {
                #expect(try build() == nodes)
            } else {
                #expect(throws: MMDBError.databaseTooLarge, "limit \(limit)") { try build() }
            }
        }
    }
}
