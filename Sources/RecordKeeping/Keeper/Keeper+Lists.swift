/// The configuration's list and the watch-list files: who stands in them is watched.
extension Keeper {
    /// Puts a reading into the ledger, a few thousand lines a commit.
    mutating func takeLists(_ reading: ListReading) {
        lastReading += 1
        let listed = reading.listed
        for start in stride(from: 0, to: listed.count, by: Self.listedPerWork) {
            let part = Array(listed[start..<min(start + Self.listedPerWork, listed.count)])
            ledger.add(.listed(part, reading: lastReading))
        }
        if reading.isComplete { ledger.add(.onlyListed(Set(listed.map(\.address)), reading: lastReading)) }
        ledger.add(.listsTaken(reading.request, reading: lastReading, problems: reading.problems))
    }

    mutating func listsUnreadable(_ request: Request.ID?, _ reason: String) {
        if let request { emit(.answer(request, .refused(.reloadFailed(reason)))) }
    }

    private static let listedPerWork = 5_000

    func carry(_ listed: [ListedAddress], of reading: Int, into draft: inout Draft, at now: Instant) {
        for line in listed {
            let old = entry(line.address, in: draft) ?? Entry()
            let label = Watch(byClient: false, byFile: true, tags: line.tags, note: line.note)
            let watch = old.watch?.merging(label) ?? label.merging(label)
            guard old.watch != watch else { continue }
            if old.watch == nil { draft.listChanges[reading, default: .init()].added += 1 }
            put(line.address, old, watch, into: &draft, at: now)
        }
    }

    /// Takes off who stood in the lists and does not any more: of those that are on disk by now, so that what an earlier
    /// reading put on is among them.
    mutating func carryUnlisting(
        allBut standing: Set<IPAddress>, of reading: Int, into draft: inout Draft, at now: Instant
    ) {
        var gone: [IPAddress] = []
        func take(_ address: IPAddress, isByFile: Bool) {
            guard gone.count <= Self.listedPerWork, isByFile else { return }
            if !standing.contains(address) { gone.append(address) }
        }
        for (address, entry) in draft.entries { take(address, isByFile: entry?.watch?.byFile == true) }
        gone.sort()
        for number in slots.inUse where draft.entries[slots.address(of: number)] == nil {
            take(slots.address(of: number), isByFile: slots.peek(number).isByFile)
        }
        if gone.count > Self.listedPerWork { ledger.goOn(with: .onlyListed(standing, reading: reading)) }
        for address in gone {
            guard var entry = entry(address, in: draft), var watch = entry.watch, watch.byFile else { continue }
            watch.byFile = false
            entry.watch = watch
            if watch.byClient {
                draft.put(address, entry, scanReplaced: false)
            } else {
                draft.listChanges[reading, default: .init()].removed += 1
                unwatch(address, entry, into: &draft, at: now)
            }
        }
    }

    /// - Parameter problems: lines that do not count. The others do, and who asked is told of both.
    func carryListsTaken(_ request: Request.ID?, _ reading: Int, _ problems: [String], into draft: inout Draft) {
        draft.listsTaken.append(reading)
        guard let request else { return }
        var changes = listChanges[reading] ?? .init()
        changes.add(draft.listChanges[reading] ?? .init())
        guard let first = problems.first else {
            draft.answer(request, .reloaded(added: changes.added, removed: changes.removed))
            return
        }
        let others = problems.count == 1 ? "" : " (and \(problems.count - 1) more, told in the journal)"
        let rest = "the rest is taken: \(changes.added) added, \(changes.removed) removed"
        draft.answer(request, .refused(.reloadFailed("\(first)\(others); \(rest)")))
    }
}
