import Testing

@testable import RecordKeeping

@Suite struct TallyTests {
    private func slot(_ watch: Watch?, _ category: Tally.Category = .unknown, isSpecial: Bool = false) -> PackedSlot {
        var slots = Slots()
        let number = slots.insert(IPAddress(v4: isSpecial ? 0x0A00_0001 : 0x0101_0101), Entry(watch: watch))
        var slot = slots.peek(number)
        slot.category = category
        return slot
    }

    @Test func `an entry is watched or cached`() {
        var tally = Tally()
        tally.add(slot(Watch(byClient: true)))
        tally.add(slot(nil))
        #expect(tally.watched == 1 && tally.cached == 1)
    }

    @Test func `pinned, listed and special-purpose addresses are counted among the watched ones`() {
        var tally = Tally()
        tally.add(slot(Watch(byClient: false, byFile: true, isPinned: true)))
        tally.add(slot(Watch(byClient: true), isSpecial: true))
        #expect(tally.watched == 2 && tally.pinned == 1 && tally.listed == 1)
        #expect(tally.called == 1, "a special-purpose address needs no call")
    }

    @Test func `an entry moves between categories, and leaves nothing behind`() {
        var tally = Tally()
        tally.add(slot(Watch(byClient: true), .fresh))
        tally.add(slot(nil, .fresh))
        tally.move(from: .fresh, to: .stale, isWatched: true)
        #expect(tally.count(.fresh) == 1 && tally.count(.stale) == 1)
        #expect(tally.watched(.fresh) == 0 && tally.watched(.stale) == 1)
        tally.move(from: .fresh, to: .stale, isWatched: false)
        #expect(tally.count(.stale) == 2 && tally.watched(.stale) == 1)
        tally.remove(slot(Watch(byClient: true), .stale))
        tally.remove(slot(nil, .stale))
        #expect(tally == Tally())
    }
}
