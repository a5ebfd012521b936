/// Entries as they will be after the pending commit.
extension Keeper {
    /// Identifies an entry and its cohort.
    struct Reference {
        /// The id of the entry in the store; nil if it is not stored.
        let id: EntryID?
        /// The index of the cohort to which its answer belongs; 0 if there is no answer.
        let cohort: UInt32
    }

    /// Returns the reference to an entry; nil if the entry will not exist.
    func reference(to address: IPAddress, in pending: PendingCommit) -> Reference? {
        if let prepared = pending.entries[address] { return prepared.map { Reference(id: $0.id, cohort: $0.cohort) } }
        guard let index = slots.index(of: address) else { return nil }
        let slot = slots.peek(index)
        return Reference(id: slot.id, cohort: pending.moved[address] ?? slot.cohort)
    }

    /// Returns the entry as it will be; nil if it will not exist.
    func entry(_ address: IPAddress, in pending: PendingCommit) -> Entry? {
        guard let reference = reference(to: address, in: pending) else { return nil }
        var entry = pending.entries[address].map { $0?.entry } ?? slots.index(of: address).map { slots.entry(of: $0) }
        if reference.cohort != 0 {
            entry?.scan?.at = slots.cohorts[reference.cohort].at
            entry?.scan?.provider = slots.provider(ofCohort: reference.cohort)
        }
        return entry
    }

    /// Adds an entry to the pending commit. The stored record is unchanged.
    func put(_ address: IPAddress, _ entry: Entry, into pending: inout PendingCommit) {
        let reference = reference(to: address, in: pending)
        let id = reference?.id ?? newID(of: address, in: &pending)
        pending.put(address, .init(id: id, entry: entry, cohort: reference?.cohort ?? 0), cohort: nil)
    }

    /// Returns the id of an entry that is not stored yet, or that could not be read.
    func newID(of address: IPAddress, in pending: inout PendingCommit) -> EntryID {
        if !unreadableEntries.isEmpty, let id = unreadableEntries[address], pending.entries[address] == nil {
            return id
        }
        return pending.nextEntryID()
    }

    /// Adds the deletion of rows that are not needed. It waits for other writes, so that an idle daemon does not wake
    /// up for it. Records of obsolete entries refer to cohorts, so these entries are deleted first.
    mutating func removeLeftovers(in pending: inout PendingCommit) {
        let entries = obsoleteEntries.suffix(changesPerTurn)
        obsoleteEntries.removeLast(entries.count)
        let cohorts = obsoleteEntries.isEmpty ? slots.cohorts.dequeueEmptied(atMost: changesPerTurn) : []
        pending.remove(cohorts: cohorts, obsolete: Array(entries))
    }

    /// Returns the id that a cohort will have in the store.
    func id(ofCohort cohort: UInt32, in pending: PendingCommit) -> CohortID {
        pending.remainderIDs[cohort] ?? slots.cohorts[cohort].id
    }

    /// Records that the cohorts of a commit are on disk.
    mutating func cohortsStored(by pending: PendingCommit) {
        for cohort in pending.addedCohorts { slots.cohorts.stored(cohort) }
        for cohort in pending.replacedCohorts {
            slots.cohorts.replaced(cohort, with: pending.remainderIDs[cohort])
        }
    }

    /// Ends the holds of a commit that has failed or is applied.
    mutating func releaseCohorts(of pending: PendingCommit) {
        for cohort in pending.allCohorts { slots.releaseCohort(cohort) }
    }
}
