/// The calls that fetched the current records.
///
/// The records of one call share its time. A later call for all of them gets a row of its own here, and takes over the
/// row in the store, so that the records that it repeats are not written.
///
/// Scans are identified by small indices; the index 0 stands for no scan. An index is reused once the scan has no
/// holders: the entries with its records, and the pending commit while it refers to the scan.
struct ScanTable: Sendable {
    /// A call, and the number of its holders.
    struct Row: Sendable {
        /// The row in the store.
        fileprivate(set) var id: ScanID
        /// The time at which the call was sent.
        let at: Instant
        /// The provider's index in `InternedValues.texts`.
        let provider: UInt32
        fileprivate(set) var holders: Int32 = 0
        /// Whether the store has a row of the scan, which must be deleted once the scan has no holders.
        fileprivate(set) var isStored: Bool
        /// Whether all of its records are known: none of them was stored by an earlier run of the daemon, some of whose
        /// rows may be unreadable.
        let isOfThisRun: Bool
    }

    private var rows: [Row?] = [nil]
    private var free: [UInt32] = []
    /// The id of the last scan.
    private var lastID: Int64 = 0
    /// The stored scans that have no holders, and are to be deleted from the store.
    private var emptied: [ScanID] = []

    /// The indices in use.
    var inUse: some Sequence<UInt32> { rows.indices.lazy.filter { rows[$0] != nil }.map { UInt32($0) } }

    /// - Parameter index: must be in use.
    private(set) subscript(index: UInt32) -> Row {
        get {
            guard let row = rows[Int(index)] else { preconditionFailure("there is no scan \(index)") }
            return row
        }
        set { rows[Int(index)] = newValue }
    }

    /// Returns an id that no scan has had.
    mutating func nextID() -> ScanID {
        lastID += 1
        return ScanID(number: lastID)
    }

    /// Adds a scan of this run, which is not stored yet.
    ///
    /// - Returns: its index, with the caller as its only holder.
    mutating func add(_ id: ScanID, at: Instant, provider: UInt32) -> UInt32 {
        insert(Row(id: id, at: at, provider: provider, holders: 1, isStored: false, isOfThisRun: true))
    }

    /// Adds a stored scan of an earlier run, without holders.
    mutating func restore(_ id: ScanID, at: Instant, provider: UInt32) -> UInt32 {
        insert(Row(id: id, at: at, provider: provider, isStored: true, isOfThisRun: false))
    }

    /// Gives later scans ids above this one.
    mutating func continueIDs(after last: ScanID) {
        lastID = max(lastID, last.number)
    }

    private mutating func insert(_ row: Row) -> UInt32 {
        if let index = free.popLast() {
            rows[Int(index)] = row
            return index
        }
        rows.append(row)
        return UInt32(rows.count - 1)
    }

    // MARK: The store

    /// Records that the store has a scan.
    mutating func stored(_ index: UInt32) {
        self[index].isStored = true
    }

    /// Records that another scan has taken over the row of a scan.
    ///
    /// - Parameter new: the row of its remaining records; nil if there are none.
    mutating func replaced(_ index: UInt32, with new: ScanID?) {
        if let new { self[index].id = new } else { self[index].isStored = false }
    }

    // MARK: Holders

    mutating func hold(_ index: UInt32) {
        guard index != 0 else { return }
        self[index].holders += 1
    }

    /// - Returns: the provider of a scan that is removed because it has no more holders; nil if it still has any.
    mutating func release(_ index: UInt32) -> UInt32? {
        guard index != 0 else { return nil }
        self[index].holders -= 1
        let row = self[index]
        guard row.holders == 0 else { return nil }
        if row.isStored { emptied.append(row.id) }
        rows[Int(index)] = nil
        free.append(index)
        return row.provider
    }

    // MARK: Deleting

    /// Removes and returns stored scans without holders.
    mutating func dequeueEmptied(atMost maximum: Int) -> [ScanID] {
        let taken = emptied.suffix(maximum)
        emptied.removeLast(taken.count)
        return Array(taken)
    }

    /// Adds stored scans without holders, for example those whose deletion failed.
    mutating func putBack(_ scans: [ScanID]) {
        emptied += scans
    }
}
