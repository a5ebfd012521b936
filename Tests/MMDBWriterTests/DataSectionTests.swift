import Testing

@testable import MMDBWriter

@Suite struct DataSectionTests {
    private static func bytes(_ section: DataSection) -> [UInt8] { Array(section.bytes.blocks.joined()) }

    private static func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `a map points to its keys and to long values`() throws {
        var section = DataSection()
        let offset = try section.store(["name": "Berlin", "x": .uint16(5)])
        // The strings are at offsets 0 and 5. "x" and the number are shorter than five bytes.
        let expected =
            [0x44] + Self.utf8("name") + [0x46] + Self.utf8("Berlin") + [0xE2, 0x20, 0, 0x20, 5, 0x41]
            + Self.utf8("x") + [0xA1, 5]
        #expect(Self.bytes(section) == expected)
        #expect(offset == 12)
    }

    @Test func `a stored part at a large offset is pointed at directly`() throws {
        var section = DataSection()
        let text = String(repeating: "x", count: 2_000_000)
        for index in 10..<78 { _ = try section.store(.string("\(index)" + text)) }
        let part = try section.storePart("Berlin")
        let start = section.bytes.count
        #expect(try section.store([part]) == UInt32(start))
        // The control bytes of an array, and a pointer of five bytes.
        #expect(section.bytes.count == start + 7)
        #expect(section.bytes.contains([0x01, 0x04, 0x38], at: start))
    }

    @Test func `an equal value is written once`() throws {
        var section = DataSection()
        let value: MMDBValue = ["city": ["names": ["en": "Berlin"]], "tags": ["one", "two"], "latitude": 52.5]
        let first = try section.store(value)
        let count = section.bytes.count
        #expect(try section.store(value) == first)
        #expect(section.bytes.count == count)
        // A part of the first value is found, too.
        #expect(try section.store(["names": ["en": "Berlin"]]) < first)
        #expect(section.bytes.count == count)
    }

    @Test func `numbers that compare equal but have other bits are other values`() throws {
        var section = DataSection()
        let offsets = try [
            .double(0.0), .double(-0.0), .double(.nan), .uint16(7), .uint32(7), .uint64(7), .boolean(false),
        ].map { (value: MMDBValue) in try section.store(value) }
        #expect(Set(offsets).count == offsets.count)
    }

    @Test func `canonically equivalent strings are other values`() throws {
        var section = DataSection()
        #expect(try section.store("Zu\u{308}rich") != section.store("Z\u{FC}rich"))
    }

    @Test func `a stored part has the same bytes as the part itself`() throws {
        let part: MMDBValue = ["iso_code": "DE", "names": ["en": "Germany"]]
        var (whole, parts) = (DataSection(), DataSection())
        _ = try whole.store(["country": part, "short": "x"])
        // The key is stored first, as in the other section.
        _ = try parts.store("country")
        let (stored, short) = try (parts.storePart(part), parts.storePart("x"))
        #expect(try parts.store(["country": stored, "short": short]) == parts.store(["country": part, "short": "x"]))
        #expect(Self.bytes(parts) == Self.bytes(whole))
        #expect(try parts.store(stored) == parts.store(part))
        #expect(try parts.store(parts.storePart(stored)) == parts.store(part))
    }

    @Test func `stored members have the same bytes as a map`() throws {
        var (whole, parts) = (DataSection(), DataSection())
        let offset = try whole.store(["city": ["en": "Berlin"], "country": "Germany", "x": .uint16(5)])
        let first = try parts.store(members: ["absent": nil, "city": ["en": "Berlin"]])
        let last = try parts.store(members: ["country": "Germany", "later": nil, "x": .uint16(5)])
        #expect(try parts.store(.members([first, last])) == offset)
        #expect(Self.bytes(parts) == Self.bytes(whole))
        #expect(try parts.store(["city": ["en": "Berlin"], "country": "Germany", "x": .uint16(5)]) == offset)
        let none = try parts.store(members: ["absent": nil])
        #expect(none.isEmpty && !first.isEmpty)
        #expect(try parts.store(.members([none])) == parts.store([:]))
    }

    @Test func `members with stored keys have the same bytes as a map`() throws {
        var (whole, parts) = (DataSection(), DataSection())
        let offset = try whole.store(["lat": 1.5, "longitude": .double(2)])
        let (short, long) = try (parts.store(key: "lat"), parts.store(key: "longitude"))
        parts.beginMembers()
        try parts.appendMember(short, 1.5)
        try parts.appendMember(long, .double(2))
        let members = parts.endMembers()
        #expect(try parts.store(.members([members])) == offset)
        #expect(Self.bytes(parts) == Self.bytes(whole))
        parts.beginMembers()
        #expect(parts.endMembers().isEmpty)
    }

    @Test(arguments: [1, 28, 29, 300])
    func `a map of members stored one at a time is the same value`(count: Int) throws {
        let members = (0..<count).map { ("key \(1_000 + $0)", MMDBValue.uint16(UInt16($0))) }
        var (whole, parts) = (DataSection(), DataSection())
        let inner: MMDBValue = ["city": ["en": "Berlin"], "inner": .map(Dictionary(uniqueKeysWithValues: members))]
        let offset = try whole.store(inner)
        let city = try parts.store(members: ["city": ["en": "Berlin"]])
        let keys = try members.map { try parts.store(key: $0.0) } + [parts.store(key: "inner")]
        parts.beginMembers()
        for (key, member) in zip(keys, members) { try parts.appendMember(key, member.1) }
        let map = try #require(try parts.endMap())
        parts.beginMembers()
        try parts.appendMembers(city)
        try parts.appendMember(try #require(keys.last), map)
        let stored = try parts.store(try #require(try parts.endMap()))
        #expect(try parts.store(inner) == stored)
        // The parts come in another order.
        #expect(Self.bytes(parts).count == Self.bytes(whole).count)
        #expect(try whole.store(inner) == offset)
        parts.beginMembers()
        #expect(try parts.endMap() == nil, "there are no members")
    }

    @Test func `a map that is shorter than a pointer is written where it occurs`() throws {
        var (whole, parts) = (DataSection(), DataSection())
        _ = try whole.store(["outer": ["k": ""]])
        let (outer, short) = try (parts.store(key: "outer"), parts.store(key: "k"))
        parts.beginMembers()
        try parts.appendMember(short, "")
        let map = try #require(try parts.endMap())
        parts.beginMembers()
        try parts.appendMember(outer, map)
        _ = try parts.store(try #require(try parts.endMap()))
        #expect(Self.bytes(parts) == Self.bytes(whole))
    }

    @Test func `members stored one at a time count toward the limits of values and text`() throws {
        var section = DataSection()
        let many = try section.store(members: [
            "k": .array(Array(repeating: .boolean(true), count: MMDBLimits.valuesPerNetwork / 2))
        ])
        section.beginMembers()
        try section.appendMembers(many)
        #expect(throws: MMDBError.tooManyValues) { try section.appendMembers(many) }
        let long = try section.store(members: [
            "k": .string(String(repeating: "x", count: MMDBLimits.textBytesPerNetwork / 2))
        ])
        section.beginMembers()
        try section.appendMembers(long)
        #expect(throws: MMDBError.tooMuchText) { try section.appendMembers(long) }
    }

    @Test func `members stored one at a time count toward the limit of levels`() throws {
        var section = DataSection()
        let key = try section.store(key: "k")
        var value: MMDBValue = "x"
        for _ in 0..<MMDBLimits.depth {
            section.beginMembers()
            try section.appendMember(key, value)
            value = try #require(try section.endMap())
        }
        section.beginMembers()
        try section.appendMember(key, value)
        #expect(throws: MMDBError.tooDeep) { try section.endMap() }
    }

    @Test func `numbers are written where they occur`() throws {
        var section = DataSection()
        let number: [UInt8] = [0x68, 0x40, 0x4A, 0x40, 0, 0, 0, 0, 0]
        _ = try section.store([52.5, 52.5])
        #expect(Self.bytes(section) == [0x02, 0x04] + number + number)
        let part = try section.storePart(52.5)
        #expect(try section.store([part, part]) == 0)
    }

    @Test func `values across blocks of memory are found again`() throws {
        var section = DataSection()
        let text = String(repeating: "ä", count: 300_000)
        let offsets = try (0..<5).map { try section.store(.string("\($0)" + text)) }
        #expect(try (0..<5).map { try section.store(.string("\($0)" + text)) } == offsets)
        #expect(section.bytes.blocks.count == 3)
        #expect(section.bytes.blocks.dropLast().allSatisfy { $0.count == ByteBlocks.blockSize })
    }

    @Test func `bytes are compared up to the end of the last block`() {
        var bytes = ByteBlocks()
        bytes.append([1, 2, 3])
        #expect(bytes.contains([2, 3], at: 1))
        #expect(!bytes.contains([2, 3, 4], at: 1))
        #expect(!bytes.contains([2, 4], at: 1))
    }

    // MARK: Limits

    private static func nested(_ levels: Int) -> MMDBValue {
        (0..<levels).reduce("x") { value, level in level % 2 == 0 ? ["k": value] : [value] }
    }

    @Test func `more nested levels than the limit are refused`() throws {
        var section = DataSection()
        _ = try section.store(Self.nested(MMDBLimits.depth))
        #expect(throws: MMDBError.tooDeep) { try section.store(Self.nested(MMDBLimits.depth + 1)) }
        let part = try section.storePart(Self.nested(MMDBLimits.depth - 1))
        _ = try section.store([part])
        #expect(throws: MMDBError.tooDeep) { try section.store([[part]]) }
    }

    @Test func `more values than the limit are refused`() throws {
        var section = DataSection()
        let limit = MMDBLimits.valuesPerNetwork
        let elements = [MMDBValue](repeating: .boolean(true), count: limit - 1)
        _ = try section.store(.array(elements))
        #expect(throws: MMDBError.tooManyValues) { try section.store(.array(elements + [.boolean(true)])) }
        // A repeated part counts each time, although its bytes are shared.
        let part = try section.storePart(.array(Array(elements.prefix(limit / 2 - 1))))
        _ = try section.store([part, .array(Array(elements.prefix(limit / 2 - 2)))])
        #expect(throws: MMDBError.tooManyValues) { try section.store([part, part]) }
    }

    @Test func `more text than the limit is refused`() throws {
        var section = DataSection()
        let limit = MMDBLimits.textBytesPerNetwork
        let text = String(repeating: "x", count: limit / 2)
        _ = try section.store([.string(text), .string(text)])
        #expect(throws: MMDBError.tooMuchText) { try section.store(["k": [.string(text), .string(text)]]) }
        let part = try section.storePart(.string(text))
        #expect(throws: MMDBError.tooMuchText) { try section.store([part, part, "x"]) }
    }

    @Test func `the limits count stored members each time`() throws {
        var section = DataSection()
        let deep = try section.store(members: ["k": Self.nested(MMDBLimits.depth - 1)])
        _ = try section.store(.members([deep]))
        #expect(throws: MMDBError.tooDeep) { try section.store([.members([deep])]) }
        let half = [MMDBValue](repeating: .boolean(true), count: MMDBLimits.valuesPerNetwork / 2 - 2)
        let (first, second) = try (
            section.store(members: ["a": .array(half)]), section.store(members: ["b": .array(half)])
        )
        #expect(throws: MMDBError.tooManyValues) { try section.store(.members([first, second])) }
        let text = MMDBValue.string(String(repeating: "x", count: MMDBLimits.textBytesPerNetwork / 2))
        let (one, two) = try (section.store(members: ["a": text]), section.store(members: ["b": text]))
        _ = try section.store(.members([one]))
        #expect(throws: MMDBError.tooMuchText) { try section.store(.members([one, two])) }
    }

    @Test func `a refused value leaves the section usable`() throws {
        var section = DataSection()
        #expect(throws: MMDBError.tooDeep) { try section.store(["name": "Berlin", "x": Self.nested(200)]) }
        let offset = try section.store(["name": "Berlin"])
        #expect(try section.store(["name": "Berlin"]) == offset)
    }
}
