import RecordKeeping
import Testing

@testable import FleetBridge

/// Bytes that are not an encoding cause an error, and no trap or large allocation.
struct DamageTests {
    /// The decoders, each with some encodings.
    enum Kind: CaseIterable {
        case journal, proposal, reply

        /// 100,000 together, which take seconds in a debug build.
        var mutations: Int { self == .journal ? 60_000 : 20_000 }

        func samples(_ seeds: Range<UInt64>) throws -> [[UInt8]] {
            var samples: [[UInt8]] = []
            for seed in seeds {
                var values = RandomValues(seed: seed)
                switch self {
                case .journal: samples.append(try JournalBody(values.writes()).encoded())
                case .proposal: samples += try ProposalBodyTests.proposals(&values).map { try $0.encoded() }
                case .reply: samples += try OutcomeReplyTests.replies(&values).map { try $0.encoded() }
                }
            }
            return samples
        }

        /// Decodes the bytes, and returns the bytes of what they mean.
        func decode(_ bytes: [UInt8]) throws(BodyError) -> [UInt8] {
            var reader = try BodyReader(bytes)
            defer {
                // The table of texts, the list of writes, and the lists in them, of which the last may be incomplete.
                #expect(reader.permitted <= 4 * bytes.count)
            }
            switch self {
            case .journal: return try JournalBody(from: &reader).encoded()
            case .proposal: return try ProposalBody(from: &reader).encoded()
            case .reply: return try OutcomeReply(from: &reader).encoded()
            }
        }

        /// The result for bytes that may have any meaning: the decoder throws nothing but `BodyError`.
        func result(_ bytes: [UInt8]) -> Result<[UInt8], BodyError> {
            Result { () throws(BodyError) in try decode(bytes) }
        }
    }

    @Test(arguments: Kind.allCases) func `a truncated body is an error`(kind: Kind) throws {
        for sample in try kind.samples(0..<20) {
            for count in sample.indices {
                #expect(throws: BodyError.self) { try kind.decode(Array(sample.prefix(count))) }
            }
        }
    }

    @Test(arguments: Kind.allCases) func `bytes after the end are an error`(kind: Kind) throws {
        for sample in try kind.samples(0..<20) {
            #expect(throws: BodyError.trailingBytes(2)) { try kind.decode(sample + [0, 0]) }
        }
    }

    @Test(arguments: Kind.allCases) func `mutated bodies never trap`(kind: Kind) throws {
        let samples = try kind.samples(100..<(kind == .journal ? 130 : 110))
        var values = RandomValues(seed: 7)
        var decoded = 0
        for _ in 0..<kind.mutations {
            var bytes = values.element(of: samples)
            for _ in 0...values.below(3) { Self.mutate(&bytes, &values) }
            if case .success = kind.result(bytes) { decoded += 1 }
        }
        // Some mutations only change a number or a letter.
        #expect(decoded > kind.mutations / 100 && decoded < kind.mutations * 9 / 10)
    }

    @Test(arguments: Kind.allCases) func `a huge number anywhere is an error, or means itself`(kind: Kind) throws {
        let huge: [[UInt8]] = [1 << 20, 1 << 40, UInt64.max].map {
            var writer = BodyWriter()
            writer.unsigned($0)
            return writer.bytes
        }
        for sample in try kind.samples(0..<3) {
            for index in sample.indices {
                for number in huge {
                    _ = kind.result(sample[..<index] + number + sample[(index + 1)...])
                }
            }
        }
    }

    @Test func `an unknown version is an error before anything else`() {
        #expect(throws: BodyError.unknownVersion(2)) { try JournalBody(decoding: [2]) }
        #expect(throws: BodyError.unknownVersion(0)) { try ProposalBody(decoding: [0, 0xFF]) }
        #expect(throws: BodyError.truncated) { try OutcomeReply(decoding: []) }
    }

    /// The version, no texts, and one write or the rest of the body.
    @Test(
        arguments: [
            ([1, 0, 1, 16], BodyError.unknownCode(16, of: "write")),
            ([1, 0, 1, 0], .unknownCode(0, of: "write")),
            ([1, 0, 1, 10, 18], .unknownCode(18, of: "event")),
            ([1, 0, 1, 10, 1, 0x20], .unknownCode(0x20, of: "flags of an event")),
            ([1, 0, 1, 9, 43], .unknownReference(43, to: "text")),
            ([1, 0, 1, 9, 0x80, 0x80], .truncated),
            ([1, 0, 1, 9, 0xAB, 0], .invalidInteger),
            ([1, 0, 1, 9, 0x80, 0], .invalidInteger),
            ([1, 0, 1, 9] + Array(repeating: 0xFF, count: 10), .invalidInteger),
            ([1, 1, 1, 0xFF, 1, 9, 43], .invalidText),
            ([1, 1, 2, 0x2D, 0x61, 1, 9, 43], .invalidName("-a")),
            ([1, 1, 1, 0x41, 1, 9, 43], .invalidName("A")),
            ([1, 9, 0], .truncated),
            ([1, 0, 9], .truncated),
            ([1, 0, 1, 3, 0, 1, 0], .truncated),
            ([1, 0, 1, 3, 0, 0, 1, 2, 3, 4, 4], .unknownCode(4, of: "flags of an entry")),
            ([1, 0, 1, 3, 0, 0, 1, 2, 3, 4, 14, 2, 27], .unknownReference(1, to: "cohort")),
            ([1, 0, 1, 3, 0, 0, 1, 2, 3, 4, 1, 0x80, 1], .unknownReference(0, to: "label")),
        ] as [([UInt8], BodyError)])
    func `an error names its reason`(bytes: [UInt8], error: BodyError) {
        #expect(throws: error) { try JournalBody(decoding: bytes) }
    }

    @Test func `numbers outside their range are errors`() {
        let out: [(UInt64) -> [UInt8]] = [
            { Self.body(15, 0, $0) },
            { Self.body(13, 0, 0, $0, 0) },
            { Self.body(13, 0, 0, 0, $0) },
            { Self.body(13, 8, 0, 0, $0, 0, 0) },
            { Self.body(10, 1, 16, 0, $0) },
        ]
        for bytes in out {
            #expect {
                try JournalBody(decoding: bytes(.max - 1))
            } throws: {
                if case BodyError.outOfRange = $0 { true } else { false }
            }
        }
    }

    @Test(arguments: [(OwnTexts.maxZipBytes, true), (OwnTexts.maxZipBytes + 1, false)])
    func `a postal code that is too long for a record is an error`(length: Int, isDecoded: Bool) throws {
        var writer = BodyWriter()
        writer.count(1)
        writer.code(WriteTag.put)
        writer.id(EntryID(number: 1))
        writer.address(IPAddress(v4: 1))
        // A cohort and a record with a source of its own.
        writer.flags([false, true, true])
        writer.id(CohortID(number: 1))
        writer.instant(.test)
        writer.text("ip-api.com")
        writer.flags([false])
        writer.byte(AnswerCode.record(mobile: nil, proxy: nil, hosting: nil))
        writer.shared(.place) { for _ in 0...Place.encodedTexts.count { $0.byte(0) } }
        writer.shared(.network) { for _ in Network.encodedTexts { $0.byte(0) } }
        // The coordinates, the postal code and the reverse name.
        writer.byte(0)
        writer.byte(0)
        writer.text(Optional(String(repeating: "1", count: length)))
        writer.byte(0)
        let bytes = try writer.finish()
        if isDecoded {
            #expect(try JournalBody(decoding: bytes).encoded() == bytes)
        } else {
            #expect(throws: BodyError.outOfRange("postal code")) { try JournalBody(decoding: bytes) }
        }
    }

    /// A body without texts with one write.
    private static func body(_ values: UInt64...) -> [UInt8] {
        var writer = BodyWriter()
        for value in [1, 0, 1] + values { writer.unsigned(value) }
        return writer.bytes
    }

    private static func mutate(_ bytes: inout [UInt8], _ values: inout RandomValues) {
        guard !bytes.isEmpty else { return bytes.append(UInt8(values.below(256))) }
        let index = values.below(bytes.count)
        switch values.below(6) {
        case 0: bytes[index] = UInt8(values.below(256))
        case 1: bytes[index] ^= 1 << UInt8(values.below(8))
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(values.element(of: [0, 1, 0x7F, 0x80, 0xFF]), at: index)
        case 4: bytes.replaceSubrange(index..., with: bytes[..<values.below(bytes.count)])
        default: bytes.insert(contentsOf: Array(repeating: 0xFF, count: 9), at: index)
        }
    }
}
