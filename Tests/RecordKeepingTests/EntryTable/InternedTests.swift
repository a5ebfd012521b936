import Testing

@testable import RecordKeeping

/// Shared values with canonically equivalent texts, which are equal as strings, but differ in their bytes.
@Suite struct InternedTests {
    private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

    private static func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

    /// A place or a network with such a text.
    private static func record(_ text: String) -> Record {
        var record = Record.example
        record.city = text
        record.isp = text
        return record
    }

    @Test func `equivalent values are equal, but not exactly`() {
        let (one, other) = (Interned(Self.composed), Interned(Self.decomposed))
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(!one.isSame(as: other) && !one.isExactly(other) && !other.isExactly(one))
        let copy = Interned(Self.composed)
        #expect(!one.isSame(as: copy) && one.isExactly(copy), "the same bytes need not be the same copy")
        let (place, otherPlace) = (Self.record(Self.composed).place, Self.record(Self.decomposed).place)
        #expect(place == otherPlace && !place.isExactly(otherPlace))
        let (network, otherNetwork) = (Self.record(Self.composed).network, Self.record(Self.decomposed).network)
        #expect(network == otherNetwork && !network.isExactly(otherNetwork))
        for (tags, note) in [([Self.composed], nil), ([], Self.composed)] as [([String], String?)] {
            let label = Interned(WatchLabel(tags: tags, note: note))
            let tags = tags.map { _ in Self.decomposed }
            let otherLabel = Interned(WatchLabel(tags: tags, note: note.map { _ in Self.decomposed }))
            #expect(label == otherLabel && !label.isExactly(otherLabel))
        }
    }

    @Test func `a missing text is not equivalent to any text`() {
        let (without, with) = (
            Interned(WatchLabel(tags: ["a"], note: nil)), Interned(WatchLabel(tags: ["a"], note: ""))
        )
        #expect(without != with && !without.isExactly(with))
    }

    @Test func `a cache distinguishes keys by their bytes`() {
        // With one place, the keys displace each other.
        for maximum in [1, 2, 64] {
            var cache = InternCache<String>(maximum: maximum)
            for _ in 0..<3 {
                for text in [Self.composed, Self.decomposed] {
                    let value = cache.value(of: Array(text.utf8)) { Interned(text) }
                    #expect(Self.bytes(value.value) == Self.bytes(text))
                    let again = cache.value(of: Array(text.utf8)) { Interned("another value") }
                    #expect(again.isSame(as: value))
                }
            }
        }
    }

    @Test(arguments: 1...UInt64(8)) func `an interner keeps the bytes of each holder's value`(seed: UInt64) {
        var random = Random(seed: seed)
        var interner = Interner<Interned<String>>()
        var holders = [UInt32](repeating: 0, count: 300)
        var values = [String?](repeating: nil, count: 300)
        // Few values, so that both forms of a value come and go in any order, and enough to reuse ids.
        func text() -> String {
            let number = Int.random(in: 0..<(Bool.random(using: &random) ? 5 : 2_000), using: &random)
            return "\(number) \(Bool.random(using: &random) ? Self.composed : Self.decomposed)"
        }
        var copies = (0..<40).map { _ in Interned(text()) }
        var names: [InternID: [UInt8]] = [:]
        for _ in 0..<30_000 {
            let copy = Int.random(in: copies.indices, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 { copies[copy] = Interned(text()) }
            let holder = Int.random(in: holders.indices, using: &random)
            let value = Int.random(in: 0..<4, using: &random) == 0 ? nil : copies[copy]
            interner.replace(&holders[holder], by: value)
            values[holder] = value?.value
            guard let value else { continue }
            let bytes = Array(value.value.utf8)
            #expect(Self.bytes(interner[holders[holder]]?.value) == bytes)
            let id = InternID(index: holders[holder], generation: interner.generation)
            #expect(names.updateValue(bytes, forKey: id).map { $0 == bytes } ?? true, "an id stands for one value")
        }
        for holder in holders.indices {
            #expect(Self.bytes(interner[holders[holder]]?.value) == Self.bytes(values[holder]))
        }
        #expect(interner.generation > 0, "ids were reused")
    }

    @Test func `an entry keeps the bytes of its texts beside entries with equivalent ones`() {
        var slots = Slots()
        var indices: [(index: Int, text: String)] = []
        for (number, text) in [Self.composed, Self.decomposed, Self.composed, Self.decomposed].enumerated() {
            let scan = Scan(answer: .record(Self.record(text)), at: KeeperHarness.start, provider: text)
            let entry = Entry(watch: Watch(byClient: true, tags: [text], note: text), scan: scan)
            let cohort = slots.addCohort(at: scan.at, provider: scan.provider)
            indices.append((slots.insert(addresses(4)[number], entry, cohort: cohort), text))
            slots.releaseCohort(cohort)
        }
        func expectUnchanged() {
            for (index, text) in indices {
                let entry = slots.entry(of: index)
                let record = entry.scan?.answer.record
                let texts = [
                    record?.city, record?.isp, entry.watch?.note, entry.watch?.tags.first, entry.scan?.provider,
                ]
                #expect(texts.allSatisfy { Self.bytes($0) == Array(text.utf8) }, "entry \(index)")
            }
        }
        expectUnchanged()
        // The first entry with each text was the first holder of its values.
        slots.remove(indices.removeFirst().index)
        expectUnchanged()
        slots.remove(indices.removeFirst().index)
        expectUnchanged()
    }

    // MARK: Answers

    @Test func `an answer with other bytes replaces the record, but is not a change`() throws {
        let address = addresses(1)[0]
        let harness = try KeeperHarness.withRecords(of: [address])
        func expectRecord(with text: String) {
            let shown = harness.show(address)?.entry.scan?.answer.record
            #expect(Self.bytes(shown?.city) == Array(text.utf8) && Self.bytes(shown?.isp) == Array(text.utf8))
        }
        func reply(with text: String) throws {
            let record = ElementAnswer.answered(.record(Self.record(text)))
            harness.reply(to: try harness.expireRecords(), answering: [address: record])
        }
        try reply(with: Self.composed)
        harness.expect(
            .commit(.records(of: [address], cohort: 2) + [.event(.changed, address), .health]), .log(.changed))
        expectRecord(with: Self.composed)
        try reply(with: Self.decomposed)
        harness.expect(
            .commit(.records(of: [address], cohort: 3) + [.health, .removeCohort(1), .alertsLogged(through: 2)]))
        expectRecord(with: Self.decomposed)
        try reply(with: Self.decomposed)
        harness.expect(.commit([.cohort(3), .health, .removeCohort(2)]))
        expectRecord(with: Self.decomposed)
    }
}
