import Testing

@testable import RecordKeeping

/// The storage of entries: values are returned as they were stored, whatever was added and removed in between.
@Suite struct StorageTests {
    /// A generator that gives the same numbers in each run.
    private struct PRNG {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
    }

    @Test func `a located address is found in its slot, in another one, or not at all`() {
        var slots = Slots()
        let (one, two) = (IPAddress(v4: 0x0101_0101), IPAddress(v4: 0x0101_0102))
        let slot = slots.insert(one, Entry())
        #expect(slots.index(of: LocatedAddress(one, slot: slot)) == slot)
        #expect(slots.index(of: LocatedAddress(one, slot: nil)) == slot)
        #expect(slots.index(of: LocatedAddress(two, slot: nil)) == nil)
        slots.remove(slot)
        #expect(slots.index(of: LocatedAddress(one, slot: slot)) == nil)
        // The other entry gets the free slot.
        #expect(slots.insert(two, Entry()) == slot)
        let other = slots.insert(one, Entry())
        #expect(slots.index(of: LocatedAddress(one, slot: slot)) == other)
        #expect(slots.index(of: LocatedAddress(one, slot: 1_000)) == other)
    }

    @Test(arguments: 1...20) func `an index finds exactly the addresses that it contains`(seed: UInt64) {
        var prng = PRNG(state: seed)
        // With few addresses and many removals, runs of occupied places wrap around and gaps close.
        let addresses = (0..<prng.roll(200) + 8).map { IPAddress(v4: UInt32($0) &* 2_654_435_761) }
        var index = AddressIndex()
        var present: Set<Int> = []
        for _ in 0..<5_000 {
            let number = prng.roll(addresses.count)
            if present.contains(number) {
                index.remove(number) { addresses[$0] }
                present.remove(number)
            } else {
                index.insert(number) { addresses[$0] }
                present.insert(number)
            }
            #expect(index.count == present.count)
            let other = prng.roll(addresses.count)
            let found = index.index(of: addresses[other]) { addresses[$0] }
            #expect(found == (present.contains(other) ? other : nil))
        }
        for number in addresses.indices {
            let found = index.index(of: addresses[number]) { addresses[$0] }
            #expect(found == (present.contains(number) ? number : nil))
        }
    }

    @Test(arguments: 1...20) func `an interner keeps one copy of equal shared values`(seed: UInt64) {
        var prng = PRNG(state: seed)
        var interner = Interner<Interned<String>>()
        var numbers = [UInt32](repeating: 0, count: 500)
        var values = [String?](repeating: nil, count: 500)
        // Copies are replaced, so that one may have the memory address of an earlier one.
        var copies = (0..<50).map { Interned("value \($0 % 20)") }
        var names: [InternID: String] = [:]
        for _ in 0..<40_000 {
            let copy = prng.roll(copies.count)
            if prng.roll(8) == 0 { copies[copy] = Interned("value \(prng.roll(3_000))") }
            let holder = prng.roll(numbers.count)
            let value = prng.roll(4) == 0 ? nil : copies[copy]
            interner.replace(&numbers[holder], by: value)
            values[holder] = value?.value
            guard let value else { continue }
            #expect(interner[numbers[holder]] == value)
            let id = InternID(index: numbers[holder], generation: interner.generation)
            #expect(
                names.updateValue(value.value, forKey: id).map { $0 == value.value } ?? true, "an ID is never reused"
            )
            #expect(interner[id] == value)
        }
        for holder in numbers.indices { #expect(interner[numbers[holder]]?.value == values[holder]) }
        let held = Dictionary(grouping: numbers.filter { $0 != 0 }) { interner[$0]?.value }
        #expect(held.values.allSatisfy { Set($0).count == 1 }, "equal values are stored once")
    }

    @Test func `a cache returns the value of its key, whatever was in that place before`() {
        var cache = InternCache<String>(maximum: 4)
        var made = 0
        func part(_ text: String) -> Interned<String> {
            cache.value(of: Array(text.utf8)) {
                made += 1
                return Interned(text)
            }
        }
        for round in 0..<50 { #expect(part("\(round % 7)").value == "\(round % 7)") }
        let long = String(repeating: "x", count: InternCache<String>.maxKeyBytes)
        #expect(part(long).isSame(as: part(long)))
        let before = made
        #expect(part(long + "x") == part(long + "x") && made == before + 2, "longer keys are not cached")
    }

    @Test(arguments: 1...20) func `an interner keeps every value that is in use`(seed: UInt64) {
        var prng = PRNG(state: seed)
        var interner = Interner<String>()
        var numbers = [UInt32](repeating: 0, count: 3_000)
        var values = [String?](repeating: nil, count: 3_000)
        var generations: Set<Int> = []
        for _ in 0..<40_000 {
            let holder = prng.roll(numbers.count)
            let value = prng.roll(4) == 0 ? nil : "value \(prng.roll(4_000))"
            let before = values[holder] == nil ? nil : (numbers[holder], interner.generation)
            interner.replace(&numbers[holder], by: value)
            if let before, values[holder] == value { #expect(before == (numbers[holder], interner.generation)) }
            values[holder] = value
            generations.insert(interner.generation)
        }
        for holder in numbers.indices {
            #expect(numbers[holder] == 0 ? values[holder] == nil : interner[numbers[holder]] == values[holder])
        }
        for (holder, other) in zip(numbers.indices, numbers.indices.reversed()) {
            #expect((numbers[holder] == numbers[other]) == (values[holder] == values[other]))
        }
        #expect(generations.count > 1, "ids were reused")
        #expect(interner.bound < 6_000, "memory is bounded by the values in use")
    }

    @Test func `canonically equivalent texts keep their bytes`() {
        var interner = Interner<String>()
        var (composed, decomposed): (UInt32, UInt32) = (0, 0)
        interner.replace(&composed, by: "caf\u{E9}")
        interner.replace(&decomposed, by: "cafe\u{301}")
        #expect(interner[composed]?.utf8.count == 5)
        #expect(interner[decomposed]?.utf8.count == 6)
        interner.replace(&composed, by: "cafe\u{301}")
        #expect(interner[composed]?.utf8.count == 6)
        interner.replace(&decomposed, by: nil)
        #expect(interner[composed]?.utf8.count == 6)
    }

    @Test func `an entry is returned as it was stored`() {
        var slots = Slots()
        var expected: [IPAddress: Entry] = [:]
        for (place, entry) in Self.entries.enumerated() {
            let address = IPAddress(v4: 0x0101_0101 + UInt32(place))
            let number = Self.insert(entry, at: address, in: &slots)
            expected[address] = entry
            #expect(slots[number].entry == entry)
            #expect(slots[number].address == address)
        }
        // The earlier content of a slot does not affect the next entry in it.
        for old in Self.entries {
            for new in Self.entries {
                let number = Self.insert(old, at: IPAddress(v4: 0x0808_0808), in: &slots)
                Self.replace(number, by: new, in: &slots)
                #expect(slots[number].entry == new)
                #expect(slots.ownTexts[number] == new.scan?.answer.record?.texts ?? OwnTexts())
                slots[number].activity = .asked(Call.ID(number: 7))
                slots[number].retryAt = BootTime(nanoseconds: 3)
                slots[number].consecutiveFailures = 5
                slots.remove(number)
                #expect(slots.index(of: IPAddress(v4: 0x0808_0808)) == nil)
                #expect(slots.ownTexts[number] == OwnTexts())
                let again = Self.insert(new, at: IPAddress(v4: 0x0808_0404), in: &slots)
                #expect(again == number)
                #expect(slots[again].entry == new)
                #expect(slots[again].activity == .resting)
                #expect(slots[again].retryAt == nil)
                #expect(slots[again].consecutiveFailures == 0)
                slots.remove(again)
            }
        }
        for (address, entry) in expected {
            let number = slots.index(of: address)
            #expect(number.map { slots[$0].entry } == entry)
        }
        let answered = expected.values.count { $0.scan != nil }
        #expect(Array(slots.cohorts.inUse).count == answered, "each answer has its cohort, and no other cohort is left")
    }

    /// Inserts an entry, whose answer belongs to a new cohort.
    private static func insert(_ entry: Entry, at address: IPAddress, in slots: inout Slots) -> Int {
        let cohort = addCohort(of: entry, to: &slots)
        let number = slots.insert(address, entry, cohort: cohort)
        slots.releaseCohort(cohort)
        return number
    }

    /// Replaces an entry by another one, whose answer belongs to a new cohort.
    private static func replace(_ number: Int, by entry: Entry, in slots: inout Slots) {
        let cohort = addCohort(of: entry, to: &slots)
        var slot = slots[number]
        (slot.entry, slot.cohort) = (entry, cohort)
        slots[number] = slot
        slots.releaseCohort(cohort)
    }

    /// - Returns: the index of the cohort; 0 if the entry has no answer.
    private static func addCohort(of entry: Entry, to slots: inout Slots) -> UInt32 {
        entry.scan.map { slots.addCohort(at: $0.at, provider: $0.provider) } ?? 0
    }

    /// Entries of each kind, and combinations.
    private static var entries: [Entry] {
        var record = Record()
        record.city = "Zürich"
        record.as = "AS15169 Google LLC"
        record.lat = -0.5
        record.zip = "8001"
        record.reverse = "a.long.reverse.name.that.is.not.small.example.net"
        record.mobile = false
        record.hosting = true
        let at = Instant(boot: BootTime(nanoseconds: -5), wall: WallTime(milliseconds: 17))
        let failure = Failure(kind: .timeout, message: "too late", at: at, attempts: 3)
        let watches = [
            nil, Watch(byClient: true),
            Watch(byClient: false, byFile: true, isPinned: true, tags: ["a", "b"], note: "n"),
            Watch(byClient: true, byFile: true, note: ""),
            Watch(byClient: true, end: WatchEnd(until: WallTime(milliseconds: 7), elapsed: .milliseconds(5))),
        ]
        let answers: [Answer?] = [
            nil, .record(Record()), .record(record), .empty(reason: "reserved range"), .empty(reason: ""),
        ]
        return watches.flatMap { watch in
            answers.flatMap { answer in
                [nil, failure].map { failure in
                    Entry(
                        watch: watch, scan: answer.map { Scan(answer: $0, at: at, provider: "ip-api.com") },
                        changedAt: failure.map { _ in WallTime(milliseconds: 0) }, failure: failure)
                }
            }
        }
    }
}
