import Testing

@testable import RecordKeeping

/// The order and the number of resolutions, without a keeper.
@Suite struct NameTableTests {
    private let start = KeeperHarness.start.boot
    private let interval = Duration.seconds(300)

    @Test(arguments: 1...UInt64(4)) func `the next resolution is that of the name that has been due longest`(
        seed: UInt64
    ) {
        var random = Random(seed: seed)
        var table = NameTable()
        let names = (0..<40).map { HostName.example("a\($0)") }
        var now = start
        for _ in 0..<4_000 {
            now = now + .seconds(Int.random(in: 0..<60, using: &random))
            let name = names[Int.random(in: names.indices, using: &random)]
            switch Int.random(in: 0..<8, using: &random) {
            case 0: table.remove(name)
            case 1, 2:
                let addresses = (0..<3).map { _ in IPAddress(v4: UInt32.random(in: 0..<9, using: &random)) }
                table.set(name, to: WatchedName(addresses: Set(addresses).sorted()), at: now)
            case 3: table.dropResults(at: now)
            case 4, 5: end(table.inFlight.sorted().first, in: &table, &random, at: now)
            default: expectNext(of: &table, at: now)
            }
            #expect(table.checkInvariants() == [])
        }
    }

    /// Begins a resolution, and compares it with a search of all names.
    private func expectNext(of table: inout NameTable, at now: BootTime) {
        func due(_ name: HostName) -> BootTime? {
            guard case .resting(let due) = table[name]?.activity, !table.inFlight.contains(name) else { return nil }
            return due
        }
        let isFull = table.inFlight.count >= Limits.resolutionsInFlight
        let first = isFull ? nil : table.rows.keys.compactMap(due).min()
        #expect(table.nextDeadline == first)
        let deadlines = Dictionary(uniqueKeysWithValues: table.rows.keys.map { ($0, due($0)) })
        let name = table.beginResolution(at: now)
        guard let first, first <= now else {
            #expect(name == nil)
            return
        }
        #expect(name.flatMap { deadlines[$0] ?? nil } == first)
    }

    /// Ends a resolution with a result that is not used, an unchanged or a changed answer, or a failure.
    private func end(_ name: HostName?, in table: inout NameTable, _ random: inout Random, at now: BootTime) {
        guard let name else { return }
        table.endResolution(of: name, at: now)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: table.rest(name, answeredAt: KeeperHarness.start.wall, interval: interval, at: now)
        case 1: table.commit(name)
        case 2: table.restAfterFailure(name, at: now) { .seconds($0) }
        default: break
        }
    }

    @Test func `names that are due at the same time are resolved in the order in which they were added`() {
        var table = NameTable()
        let names = ["c", "a", "b"].map { HostName.example($0) }
        for name in names { table.set(name, to: WatchedName(), at: start) }
        let begun = (0..<4).map { _ in table.beginResolution(at: start) }
        #expect(begun == names + [nil])
    }
}
