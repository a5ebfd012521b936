/// Entries as they will be after the pending commit.
extension Keeper {
    /// Identifies an entry and its scan.
    struct Reference {
        /// The id of the entry in the store; nil if it is not stored.
        let id: EntryID?
        /// The index of the scan to which its answer belongs; 0 if there is no answer.
        let scan: UInt32
    }

    /// Returns the reference to an entry; nil if the entry will not exist.
    func reference(to address: IPAddress, in pending: PendingCommit) -> Reference? {
        if let prepared = pending.entries[address] { return prepared.map { Reference(id: $0.id, scan: $0.scan) } }
        guard let index = slots.index(of: address) else { return nil }
        let slot = slots.peek(index)
        return Reference(id: slot.id, scan: pending.moved[address] ?? slot.scan)
    }

    /// Returns the entry as it will be; nil if it will not exist.
    func entry(_ address: IPAddress, in pending: PendingCommit) -> Entry? {
        guard let reference = reference(to: address, in: pending) else { return nil }
        var entry = pending.entries[address].map { $0?.entry } ?? slots.index(of: address).map { slots.entry(of: $0) }
        if reference.scan != 0 {
            entry?.scan?.at = slots.scans[reference.scan].at
            entry?.scan?.provider = slots.provider(ofScan: reference.scan)
        }
        return entry
    }

    /// Adds an entry to the pending commit. The stored record is unchanged.
    func put(_ address: IPAddress, _ entry: Entry, into pending: inout PendingCommit) {
        let reference = reference(to: address, in: pending)
        let id = reference?.id ?? newID(of: address, in: &pending)
        pending.put(address, .init(id: id, entry: entry, scan: reference?.scan ?? 0), scan: nil)
    }

    /// Returns the id of an entry that is not stored yet, or that could not be read.
    func newID(of address: IPAddress, in pending: inout PendingCommit) -> EntryID {
        if !unreadableEntries.isEmpty, let id = unreadableEntries[address], pending.entries[address] == nil {
            return id
        }
        return pending.nextEntryID()
    }

    /// Adds the deletion of rows that are not needed. It waits for other writes, so that an idle daemon does not wake
    /// up for it.
    mutating func removeLeftovers(in pending: inout PendingCommit) {
        let entries = obsoleteEntries.suffix(changesPerTurn)
        obsoleteEntries.removeLast(entries.count)
        pending.remove(scans: slots.scans.dequeueEmptied(atMost: changesPerTurn), obsolete: Array(entries))
    }

    /// Returns the row that a scan will have in the store.
    func id(ofScan scan: UInt32, in pending: PendingCommit) -> ScanID {
        pending.replacedScans[scan].flatMap { $0 } ?? slots.scans[scan].id
    }

    /// Records that the scans of a commit are on disk.
    mutating func scansStored(by pending: PendingCommit) {
        for scan in pending.addedScans { slots.scans.stored(scan) }
        for (scan, id) in pending.replacedScans { slots.scans.replaced(scan, with: id) }
    }

    /// Ends the holds of a commit that has failed or is applied.
    mutating func releaseScans(of pending: PendingCommit) {
        for scan in pending.allScans { slots.releaseScan(scan) }
    }
}
