/// Entries as they will be after the pending commit.
extension Keeper {
    /// Identifies an entry and its cohort.
    struct Reference {
        /// The id of the entry in the store; nil if it is not stored.
        let id: EntryID?
        /// The index of the cohort to which its answer belongs; 0 if there is no answer.
        let cohort: UInt32
        /// Whether the entry is stored and a reply with the same answer would change only the time of the answer.
        let isRepeatable: Bool
    }

    /// Returns an address with the current slot of its entry.
    func located(_ address: IPAddress) -> LocatedAddress {
        LocatedAddress(address, slot: slots.index(of: address))
    }

    /// Returns the reference to an entry; nil if the entry will not exist after the pending commit.
    func reference(to located: LocatedAddress, in pending: PendingCommit) -> Reference? {
        if let prepared = pending.entries[located.address] {
            guard let prepared else { return nil }
            let isRepeatable =
                prepared.cohort != 0 && prepared.entry.failure == nil && prepared.entry.omissions.isEmpty
            return Reference(id: prepared.id, cohort: prepared.cohort, isRepeatable: isRepeatable)
        }
        guard let index = slots.index(of: located) else { return nil }
        let slot = slots.peek(index)
        let isRepeatable = slot.id != nil && slots.isRepeatable(index)
        return Reference(id: slot.id, cohort: pending.moved[index] ?? slot.cohort, isRepeatable: isRepeatable)
    }

    /// Returns the entry as it will be after the pending commit; nil if it will not exist.
    func entry(_ located: LocatedAddress, in pending: PendingCommit) -> Entry? {
        guard let reference = reference(to: located, in: pending) else { return nil }
        var entry =
            pending.entries[located.address].map { $0?.entry } ?? slots.index(of: located).map { slots.entry(of: $0) }
        if reference.cohort != 0 {
            entry?.scan?.at = slots.cohorts[reference.cohort].at
            entry?.scan?.provider = slots.provider(ofCohort: reference.cohort)
            entry?.scan?.version = slots.cohorts[reference.cohort].version
        }
        return entry
    }

    /// Returns the entry as it will be after the pending commit; nil if it will not exist.
    func entry(_ address: IPAddress, in pending: PendingCommit) -> Entry? {
        entry(located(address), in: pending)
    }

    /// Adds an entry to the pending commit. The stored record is unchanged.
    func put(_ address: IPAddress, _ entry: Entry, into pending: inout PendingCommit) {
        put(located(address), entry, into: &pending)
    }

    /// Adds an entry to the pending commit. The stored record is unchanged.
    func put(_ located: LocatedAddress, _ entry: Entry, into pending: inout PendingCommit) {
        let reference = reference(to: located, in: pending)
        let id = reference?.id ?? newID(of: located.address, in: &pending)
        pending.put(located, .init(id: id, entry: entry, cohort: reference?.cohort ?? 0), cohort: nil)
    }

    /// Returns the id of an entry that is not stored yet, or that could not be read.
    func newID(of address: IPAddress, in pending: inout PendingCommit) -> EntryID {
        if !unreadableEntries.isEmpty, let id = unreadableEntries[address], pending.entries[address] == nil {
            return id
        }
        return pending.nextEntryID()
    }

    /// Adds the deletion of obsolete rows to the pending commit. Deletions wait for other writes, so that an idle
    /// daemon does not wake up for them. Obsolete entries are deleted before cohorts, because their records refer to
    /// cohorts.
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

    /// Releases the cohorts that a commit holds, after the commit has failed or its entries have been updated.
    mutating func releaseCohorts(of pending: PendingCommit) {
        for cohort in pending.allCohorts { slots.releaseCohort(cohort) }
    }
}
