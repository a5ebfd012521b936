@testable import RecordKeeping

/// Returns entries as the store returns them: their ids ascend from 1, and each record belongs to a cohort of its own,
/// which has the number of its entry.
func storedEntries(_ entries: [(IPAddress, Entry)]) -> [SavedEntry] {
    zip(Int64(1)..., entries).map { number, stored in
        let cohort = stored.1.scan.map { _ in CohortID(number: number) }
        return SavedEntry(EntryKey(id: EntryID(number: number), address: stored.0), stored.1, cohort: cohort)
    }
}

/// Returns the same entry for each address, as the store returns them.
func storedEntries(_ addresses: [IPAddress], _ entry: Entry) -> [SavedEntry] {
    storedEntries(addresses.map { ($0, entry) })
}

extension Restored {
    /// Returns this state with the last ids of the entries and cohorts, unless it has later ones.
    func following(_ entries: [SavedEntry]) -> Restored {
        var following = self
        following.lastEntry = entries.map(\.key.id).reduce(lastEntry, max)
        following.lastCohort = entries.compactMap(\.cohort).reduce(lastCohort, max)
        return following
    }
}
