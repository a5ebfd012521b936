import GeoDatabase
import MMDBSamples
import RecordKeeping
import Testing

/// Files that violate the format: an error, or values that are left out, but never a crash or unbounded work.
@Suite struct DamageTests {
    private let folder: SampleFolder

    init() throws { folder = try SampleFolder() }

    /// Opens a file, and looks up an address in it. Returns the reason of the failure; nil if there is none.
    @discardableResult
    private func failure(_ bytes: [UInt8]) throws -> String? {
        let database = try GeoDatabase(paths: [folder.put(bytes)])
        let changes = database.reload()
        let lookup = try database.lookup(IPAddress("192.0.2.1"))
        _ = try database.lookup(IPAddress("2001:db8::1"))
        if case .failed(let error, _) = changes.first { return "\(error)" }
        return lookup.errors.first.map { "\($0)" }
    }

    private func failure(metadata: [(String, SampleValue)]) throws -> String? {
        var sample = try Self.sample()
        sample.metadata = metadata
        return try failure(sample.bytes)
    }

    private static let germany: SampleValue = ["country": ["iso_code": "DE"]]

    private static func sample(_ value: SampleValue = germany) throws -> MMDBSample {
        try MMDBSample(["192.0.2.0/24": value])
    }

    /// A value whose maps are nested so deeply that a recursive decoder overflows the stack.
    private static func nested(_ depth: Int) -> SampleValue {
        .raw(Array(repeatElement([0xE1, 0x41, 0x61], count: depth).joined()) + [0xE0])
    }

    @Test func `every truncated file is refused`() throws {
        let whole = try Self.sample().bytes
        #expect(try failure(whole) == nil)
        for count in 0..<whole.count {
            #expect(try failure(Array(whole.prefix(count))) != nil, "\(count) of \(whole.count) bytes")
        }
    }

    @Test func `no changed byte is fatal`() throws {
        var sample = try Self.sample([
            "city": ["names": ["de": "Köln", "en": "Cologne"]], "subdivisions": [["iso_code": "NW"]],
            "location": ["latitude": 50.9, "longitude": 6.9], "a": [[1.5, .uint64(1)], .bytes([1, 2])],
        ])
        try sample.add(.pointer(0), for: "192.0.3.0/24")
        let whole = sample.bytes
        // The nodes of the tree are alike, so only the last ones are changed.
        for index in (whole.count - 420)..<whole.count {
            for byte: UInt8 in [0, 0x3F, 0xFF, whole[index] ^ 0x20, whole[index] &+ 1] {
                var changed = whole
                changed[index] = byte
                try failure(changed)
            }
        }
    }

    @Test func `a tree that leads out of the file is refused`() throws {
        let whole = try Self.sample().bytes
        for record: [UInt8] in [[0, 0, 0], [0xFF, 0xFF, 0xFF], [0, 0, 121]] {
            var changed = whole
            changed.replaceSubrange(3..<6, with: record)
            let reason = try failure(changed)
            #expect(
                reason?.hasSuffix("node 0 of the search tree leads out of the file") == true,
                "\(record): \(reason ?? "")")
        }
    }

    @Test func `numbers of nodes that libmaxminddb cannot calculate with are refused`() throws {
        for count: UInt32 in [.max, 1 << 31, 715_827_880, 715_827_883, 200] {
            let reason = try failure(metadata: [("node_count", .uint32(count))])
            #expect(reason?.contains("nodes is larger than the file") == true, "\(count): \(reason ?? "")")
        }
        #expect(
            try failure(metadata: [("node_count", .uint32(0))])?.hasSuffix("node_count is missing or out of range")
                == true)
    }

    @Test func `if metadata contain a key twice, the value that libmaxminddb uses is checked`() throws {
        let counts: [(String, SampleValue)] = [("node_count", .uint32(.max)), ("node_count", .uint32(1))]
        #expect(try failure(metadata: counts)?.contains("nodes is larger than the file") == true)
    }

    @Test func `metadata of another type or out of range is refused`() throws {
        for (name, value) in [
            ("build_epoch", .uint64(.max)), ("build_epoch", .uint64(0)), ("build_epoch", "now"),
            ("database_type", .uint16(1)), ("database_type", ""), ("database_type", .raw([0x42, 0xC3, 0x28])),
            ("record_size", .uint16(25)), ("record_size", .string("24")), ("node_count", -1.0),
            ("ip_version", .uint16(5)), ("binary_format_major_version", .uint16(3)), ("languages", "en"),
            ("description", "text"),
        ] as [(String, SampleValue)] {
            #expect(try failure(metadata: [(name, value)]) != nil, "\(name): \(value)")
        }
        let version = try failure(metadata: [("binary_format_major_version", .uint16(3))])
        // The text of MMDB_strerror.
        #expect(version?.contains("The MaxMind DB file is in a format this library can't handle") == true)
    }

    @Test func `deeply nested metadata is refused`() throws {
        let reason = try failure(metadata: [("a", Self.nested(30_000))])
        #expect(reason?.hasSuffix("metadata: maps and arrays are nested more than 32 levels deep") == true)
        #expect(try failure(metadata: [("a", Self.nested(20))]) == nil)
    }

    @Test func `metadata that refers to itself is refused`() throws {
        // Offset 0 is the metadata.
        let reason = try failure(metadata: [("languages", [.pointer(0), .pointer(0)])])
        #expect(reason?.contains("metadata: ") == true)
    }

    @Test func `metadata whose shared values multiply is refused`() throws {
        // The offset of the first value after the map's control byte and the key "a".
        var arrays: [SampleValue] = []
        var offset = 1 + 2 + 2
        arrays.append(.array(Array(repeating: "x", count: 20)))
        for _ in 0..<8 {
            let previous = offset
            offset += arrays[arrays.count - 1].encoded.count
            arrays.append(.array(Array(repeating: .pointer(previous), count: 20)))
        }
        let reason = try failure(metadata: [("a", .array(arrays))])
        #expect(reason?.hasSuffix("metadata: more than 65536 values") == true, "\(reason ?? "")")
    }

    @Test func `deeply nested data is an error of the lookup`() throws {
        let reason = try failure(Self.sample(["a": Self.nested(100_000)]).bytes)
        #expect(reason?.hasSuffix("maps and arrays are nested more than 32 levels deep") == true)
    }

    @Test func `cyclic data is an error of the lookup`() throws {
        var sample = try MMDBSample()
        let start = sample.append(.raw([]))
        try sample.add(["country": .pointer(start)], for: "192.0.2.0/24")
        // A key that is searched leads to the map that contains it, which is not searched again.
        #expect(try failure(sample.bytes) == nil)
        try sample.add(offset: sample.append(.raw(SampleValue.pointer(sample.data.count).encoded)), for: "192.0.2.0/24")
        #expect(try failure(sample.bytes)?.hasSuffix("a pointer leads to another pointer") == true)
    }

    @Test(
        arguments: [
            [0xFF, 0xFF, 0xFF, 0xFF], [0xE1, 0xC1, 0x01, 0xE0], [0xE1, 0x41, 0x61, 0x00, 0x20],
            [0xE1, 0x3F, 0xFF, 0xFF],
            [0x3F, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func `data that violates the format is an error of the lookup`(bytes: [UInt8]) throws {
        let found = try failure(Self.sample(.raw(bytes)).bytes)
        #expect(found?.contains("is damaged: the data of 192.0.2.1 is invalid: ") == true, "\(found ?? "")")
    }
}
