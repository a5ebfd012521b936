import Testing

@testable import RecordKeeping

/// The table of the calls that fetched the current records.
@Suite struct ScanTableTests {
    private let at = KeeperHarness.start
    private let later = KeeperHarness.start.advanced(by: .seconds(300))

    private func ids(in table: ScanTable) -> [Int64] { table.inUse.map { table[$0].id.number } }

    private func add(to table: inout ScanTable, at time: Instant? = nil, provider: UInt32 = 1) -> UInt32 {
        table.add(table.nextID(), at: time ?? at, provider: provider)
    }

    // MARK: Holders

    @Test func `a new scan is held by the caller, and is not stored`() {
        var table = ScanTable()
        let index = add(to: &table, provider: 3)
        let scan = table[index]
        #expect(index != 0)
        #expect(scan.id == ScanID(number: 1) && scan.at == at && scan.provider == 3)
        #expect(scan.holders == 1 && !scan.isStored && scan.isOfThisRun)
    }

    @Test func `a scan is removed with its last holder, and its provider is returned`() {
        var table = ScanTable()
        let index = add(to: &table, provider: 3)
        table.hold(index)
        table.hold(index)
        #expect(table[index].holders == 3)
        #expect(table.release(index) == nil)
        #expect(table.release(index) == nil)
        #expect(table[index].holders == 1)
        #expect(table.release(index) == 3)
        #expect(ids(in: table) == [])
    }

    @Test func `the index 0 stands for no scan`() {
        var table = ScanTable()
        table.hold(0)
        #expect(table.release(0) == nil)
        #expect(ids(in: table) == [])
        #expect(table.dequeueEmptied(atMost: 9) == [])
    }

    @Test func `an index is used again, and an id is not`() {
        var table = ScanTable()
        let indices = (0..<3).map { _ in add(to: &table) }
        #expect(Set(indices).count == 3 && ids(in: table) == [1, 2, 3])
        _ = table.release(indices[1])
        #expect(ids(in: table) == [1, 3])
        #expect(add(to: &table, at: later, provider: 2) == indices[1])
        #expect(ids(in: table) == [1, 4, 3])
        #expect(table[indices[1]].at == later && table[indices[1]].provider == 2)
        #expect(table[indices[0]].at == at && table[indices[2]].at == at)
        let another = add(to: &table)
        #expect(!indices.contains(another))
    }

    // MARK: Deleting

    @Test func `only a scan that is stored has to be deleted from the store`() {
        var table = ScanTable()
        let (stored, abandoned) = (add(to: &table), add(to: &table))
        table.stored(stored)
        #expect(table.dequeueEmptied(atMost: 9) == [], "both have a holder")
        #expect(table.release(stored) == 1)
        #expect(table.release(abandoned) == 1)
        #expect(table.dequeueEmptied(atMost: 9) == [ScanID(number: 1)])
        #expect(table.dequeueEmptied(atMost: 9) == [])
    }

    @Test func `deletions are limited, and those that fail are repeated`() {
        var table = ScanTable()
        for _ in 0..<5 {
            let index = add(to: &table)
            table.stored(index)
            _ = table.release(index)
        }
        let first = table.dequeueEmptied(atMost: 3)
        let second = table.dequeueEmptied(atMost: 3)
        #expect(first.count == 3 && second.count == 2)
        #expect(Set(first + second) == Set((1...5).map { ScanID(number: $0) }))
        table.putBack(first)
        #expect(Set(table.dequeueEmptied(atMost: 9)) == Set(first))
        #expect(table.dequeueEmptied(atMost: 9) == [])
    }

    // MARK: Earlier runs

    @Test func `a restored scan is stored, and has no holders yet`() {
        var table = ScanTable()
        let index = table.restore(ScanID(number: 7), at: at, provider: 2)
        #expect(table[index].id == ScanID(number: 7) && table[index].at == at && table[index].provider == 2)
        #expect(table[index].holders == 0 && table[index].isStored && !table[index].isOfThisRun)
        table.hold(index)
        #expect(table.release(index) == 2)
        #expect(table.dequeueEmptied(atMost: 9) == [ScanID(number: 7)])
    }

    @Test func `ids continue after those of earlier runs`() {
        var table = ScanTable()
        _ = table.restore(ScanID(number: 7), at: at, provider: 1)
        table.continueIDs(after: ScanID(number: 9))
        _ = add(to: &table)
        #expect(ids(in: table) == [7, 10])
        table.continueIDs(after: ScanID(number: 3))
        _ = add(to: &table)
        #expect(ids(in: table) == [7, 10, 11], "ids never go back")
    }

    // MARK: Entries and providers

    @Test func `an entry holds its scan until it is moved or removed`() {
        var slots = Slots()
        let (first, second) = (slots.addScan(at: at, provider: "a"), slots.addScan(at: later, provider: "b"))
        let entry = Entry(scan: Scan(answer: .record(.example), at: at, provider: "a"))
        let index = slots.insert(IPAddress(v4: 1), entry, id: EntryID(number: 5), scan: first)
        #expect(slots[index].id == EntryID(number: 5) && slots[index].scan == first && slots[index].entry == entry)
        #expect(slots.scans[first].holders == 2 && slots.scans[second].holders == 1)
        slots.setScan(of: index, to: second)
        #expect(slots.scans[first].holders == 1 && slots.scans[second].holders == 2)
        #expect(slots.scanAt(of: index) == later && slots.entry(of: index).scan?.provider == "b")
        #expect(slots.entry(of: index).scan?.answer == .record(.example))
        slots.releaseScan(first)
        slots.releaseScan(second)
        #expect(Array(slots.scans.inUse) == [second])
        slots.remove(index)
        #expect(Array(slots.scans.inUse) == [])
    }

    @Test func `a scan takes over the row of another one`() {
        var table = ScanTable()
        let old = add(to: &table)
        table.stored(old)
        let new = table.add(table[old].id, at: later, provider: 2)
        #expect(ids(in: table) == [1, 1])
        table.stored(new)
        table.replaced(old, with: nil)
        #expect(table.release(old) == 1)
        #expect(table.dequeueEmptied(atMost: 9) == [], "the row belongs to the other scan")
        #expect(table.release(new) == 2)
        #expect(table.dequeueEmptied(atMost: 9) == [ScanID(number: 1)])
    }

    @Test func `a scan whose row was taken over keeps its remaining records in a new row`() {
        var table = ScanTable()
        let old = add(to: &table)
        table.stored(old)
        let new = table.add(table[old].id, at: later, provider: 2)
        table.stored(new)
        table.replaced(old, with: table.nextID())
        #expect(table[old].id == ScanID(number: 2) && table[old].at == at && table[new].id == ScanID(number: 1))
        #expect(table.release(old) == 1)
        #expect(table.dequeueEmptied(atMost: 9) == [ScanID(number: 2)])
    }

    @Test func `a scan releases the name of its provider`() {
        var slots = Slots()
        let scan = slots.addScan(at: at, provider: "a")
        let entry = Entry(scan: Scan(answer: .record(.example), at: at, provider: "a"))
        let index = slots.insert(IPAddress(v4: 1), entry, scan: scan)
        slots.releaseScan(scan)
        let provider = slots.scans[scan].provider
        #expect(slots.internedValues.texts[provider] == "a" && slots.provider(ofScan: scan) == "a")
        slots.remove(index)
        #expect(slots.internedValues.texts[provider] == nil)
    }
}
