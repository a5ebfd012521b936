import Testing

@testable import RecordKeeping

/// The table of the cohorts, and their holders.
@Suite struct CohortTableTests {
    private let at = KeeperHarness.start
    private let later = KeeperHarness.start.advanced(by: .seconds(300))

    private func ids(in table: CohortTable) -> [Int64] { table.inUse.map { table[$0].id.number } }

    private func add(to table: inout CohortTable, at time: Instant? = nil, provider: UInt32 = 1) -> UInt32 {
        table.add(table.nextID(), at: time ?? at, provider: provider, version: nil)
    }

    // MARK: Holders

    @Test func `a new cohort is held by the caller, and is not stored`() {
        var table = CohortTable()
        let index = add(to: &table, provider: 3)
        let cohort = table[index]
        #expect(index != 0)
        #expect(cohort.id == CohortID(number: 1) && cohort.at == at && cohort.provider == 3)
        #expect(cohort.holders == 1 && !cohort.isStored && cohort.isOfThisRun)
    }

    @Test func `a cohort is removed with its last holder, and its provider is returned`() {
        var table = CohortTable()
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

    @Test func `the index 0 stands for no cohort`() {
        var table = CohortTable()
        table.hold(0)
        #expect(table.release(0) == nil)
        #expect(ids(in: table) == [])
        #expect(table.dequeueEmptied(atMost: 9) == [])
    }

    @Test func `an index is used again, and an id is not`() {
        var table = CohortTable()
        let indices = (0..<3).map { _ in add(to: &table) }
        #expect(Set(indices).count == 3 && ids(in: table) == [1, 2, 3] && table.count == 3)
        _ = table.release(indices[1])
        #expect(ids(in: table) == [1, 3] && table.count == 2)
        #expect(add(to: &table, at: later, provider: 2) == indices[1])
        #expect(ids(in: table) == [1, 4, 3])
        #expect(table[indices[1]].at == later && table[indices[1]].provider == 2)
        #expect(table[indices[0]].at == at && table[indices[2]].at == at)
        let another = add(to: &table)
        #expect(!indices.contains(another))
    }

    // MARK: Deleting

    @Test func `only a cohort that is stored has to be deleted from the store`() {
        var table = CohortTable()
        let (stored, abandoned) = (add(to: &table), add(to: &table))
        table.stored(stored)
        #expect(table.dequeueEmptied(atMost: 9) == [], "both have a holder")
        #expect(table.release(stored) == 1)
        #expect(table.release(abandoned) == 1)
        #expect(table.dequeueEmptied(atMost: 9) == [CohortID(number: 1)])
        #expect(table.dequeueEmptied(atMost: 9) == [])
    }

    @Test func `deletions are limited, and those that fail are repeated`() {
        var table = CohortTable()
        for _ in 0..<5 {
            let index = add(to: &table)
            table.stored(index)
            _ = table.release(index)
        }
        let first = table.dequeueEmptied(atMost: 3)
        let second = table.dequeueEmptied(atMost: 3)
        #expect(first.count == 3 && second.count == 2)
        #expect(Set(first + second) == Set((1...5).map { CohortID(number: $0) }))
        table.putBack(first)
        #expect(Set(table.dequeueEmptied(atMost: 9)) == Set(first))
        #expect(table.dequeueEmptied(atMost: 9) == [])
    }

    // MARK: Earlier runs

    @Test func `a restored cohort is stored, and has no holders yet`() {
        var table = CohortTable()
        let index = table.restore(CohortID(number: 7), at: at, provider: 2, version: nil)
        #expect(table[index].id == CohortID(number: 7) && table[index].at == at && table[index].provider == 2)
        #expect(table[index].holders == 0 && table[index].isStored && !table[index].isOfThisRun)
        table.hold(index)
        #expect(table.release(index) == 2)
        #expect(table.dequeueEmptied(atMost: 9) == [CohortID(number: 7)])
    }

    @Test func `ids continue after those of earlier runs`() {
        var table = CohortTable()
        _ = table.restore(CohortID(number: 7), at: at, provider: 1, version: nil)
        table.continueIDs(after: CohortID(number: 9))
        _ = add(to: &table)
        #expect(ids(in: table) == [7, 10])
        table.continueIDs(after: CohortID(number: 3))
        _ = add(to: &table)
        #expect(ids(in: table) == [7, 10, 11], "ids never go back")
    }

    // MARK: Entries and providers

    @Test func `an entry holds its cohort until it is moved or removed`() {
        var slots = Slots()
        let (first, second) = (slots.addCohort(at: at, provider: "a"), slots.addCohort(at: later, provider: "b"))
        let entry = Entry(scan: Scan(answer: .record(.example), at: at, provider: "a"))
        let index = slots.insert(IPAddress(v4: 1), entry, id: EntryID(number: 5), cohort: first)
        #expect(slots[index].id == EntryID(number: 5) && slots[index].cohort == first && slots[index].entry == entry)
        #expect(slots.cohorts[first].holders == 2 && slots.cohorts[second].holders == 1)
        slots.setCohort(of: index, to: second)
        #expect(slots.cohorts[first].holders == 1 && slots.cohorts[second].holders == 2)
        #expect(slots.cohort(of: index)?.at == later && slots.entry(of: index).scan?.provider == "b")
        #expect(slots.entry(of: index).scan?.answer == .record(.example))
        slots.releaseCohort(first)
        slots.releaseCohort(second)
        #expect(Array(slots.cohorts.inUse) == [second])
        slots.remove(index)
        #expect(Array(slots.cohorts.inUse) == [])
    }

    @Test func `a cohort takes over the row of another one`() {
        var table = CohortTable()
        let old = add(to: &table)
        table.stored(old)
        let new = table.add(table[old].id, at: later, provider: 2, version: nil)
        #expect(ids(in: table) == [1, 1])
        table.stored(new)
        table.replaced(old, with: nil)
        #expect(table.release(old) == 1)
        #expect(table.dequeueEmptied(atMost: 9) == [], "the row belongs to the other cohort")
        #expect(table.release(new) == 2)
        #expect(table.dequeueEmptied(atMost: 9) == [CohortID(number: 1)])
    }

    @Test func `a cohort whose row was taken over keeps its remaining records in a new row`() {
        var table = CohortTable()
        let old = add(to: &table)
        table.stored(old)
        let new = table.add(table[old].id, at: later, provider: 2, version: nil)
        table.stored(new)
        table.replaced(old, with: table.nextID())
        #expect(table[old].id == CohortID(number: 2) && table[old].at == at && table[new].id == CohortID(number: 1))
        #expect(table.release(old) == 1)
        #expect(table.dequeueEmptied(atMost: 9) == [CohortID(number: 2)])
    }

    @Test func `a cohort releases the name of its provider`() {
        var slots = Slots()
        let cohort = slots.addCohort(at: at, provider: "a")
        let entry = Entry(scan: Scan(answer: .record(.example), at: at, provider: "a"))
        let index = slots.insert(IPAddress(v4: 1), entry, cohort: cohort)
        slots.releaseCohort(cohort)
        let provider = slots.cohorts[cohort].provider
        #expect(slots.internedValues.texts[provider] == "a" && slots.provider(ofCohort: cohort) == "a")
        slots.remove(index)
        #expect(slots.internedValues.texts[provider] == nil)
    }
}
