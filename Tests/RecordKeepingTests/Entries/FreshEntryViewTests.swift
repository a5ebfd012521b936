import Testing

@testable import RecordKeeping

/// Entries as the fast path returns them.
struct FreshEntryViewTests {
    @Test(arguments: [false, true])
    func `an address that a file lists is not watched until a time`(isInFile: Bool) throws {
        let address = IPAddress(v4: 0x0101_0101)
        let until = KeeperHarness.start.wall + .seconds(60)
        let entry = Entry(
            watch: Watch(byClient: true, byFile: isInFile, end: WatchEnd(until: until, elapsed: .seconds(1))),
            scan: Scan(answer: .record(.example), at: KeeperHarness.start, provider: "mock"))
        let harness = KeeperHarness(ignoring: .all, entries: storedEntries([address], entry))
        var keeper = harness.keeper
        var entries: [FreshEntryView] = []
        #expect(keeper.readFresh([address], at: harness.now, into: &entries))
        #expect(entries.map(\.watchedUntil) == [isInFile ? nil : until])
        #expect(harness.show(address)?.entry.watch?.listedUntil == (isInFile ? nil : until))
    }
}
