import RecordKeeping
import Testing

@testable import FleetBridge

/// The lengths that docs and limits rely on. A longer encoding writes more WAL for each record.
struct SizeTests {
    private func bytes(_ writes: [Commit.Write]) throws -> Int { try JournalBody(writes).encoded().count }

    @Test func `a cohort without changes takes 22 bytes`() throws {
        // 13 of them are the time on both clocks, in nanoseconds and milliseconds, of a host that has run for a year.
        #expect(try bytes([Samples.unchangedCohort]) == 22)
    }

    @Test func `a quota window after a cohort takes 18 bytes`() throws {
        #expect(try bytes([Samples.unchangedCohort, Samples.window]) == 22 + 18)
    }

    @Test func `a changed record takes 58 bytes with its event`() throws {
        let (one, hundred) = (try bytes(Samples.changedRecords(1)), try bytes(Samples.changedRecords(100)))
        // 30 of them are the reverse name, and 9 the field.
        #expect((hundred - one) / 99 == 58)
        #expect(one == 236)
    }

    @Test func `an added address takes 14 bytes with its event`() throws {
        let (one, thousand) = (try bytes(Samples.addition(1)), try bytes(Samples.addition(1_000)))
        #expect((thousand - one) / 999 == 14)
    }

    @Test func `the largest addition fits into a row`() throws {
        let writes = Samples.addition(Limits.addressesPerRequest)
        let bytes = try JournalBody(writes).encoded()
        #expect(bytes.count == 1_400_022)
        #expect(try JournalBody(decoding: bytes).writes.count == writes.count)
    }

    @Test func `a list of writes takes at most 320 bytes for each`() {
        #expect(MemoryLayout<Commit.Write>.stride <= 320)
    }
}
