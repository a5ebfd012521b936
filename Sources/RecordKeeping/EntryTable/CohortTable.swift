/// The cohorts of the current records.
///
/// A cohort is the set of records that one call fetched and that no later call has fetched again; they share its time
/// and provider. If a later call fetches all records of a cohort, its own cohort takes over their row in the store, so
/// that the records that the call repeats are not written.
///
/// Cohorts are identified by small indices; the index 0 stands for no cohort. An index is reused once the cohort has no
/// holders: the entries with its records, and the pending commit while it refers to the cohort.
struct CohortTable: Sendable {
    /// The time and the provider of a cohort, and the number of its holders.
    struct Row: Sendable {
        /// The id of its row in the store.
        fileprivate(set) var id: CohortID
        /// The time at which the call was sent.
        let at: Instant
        /// The provider's index in `InternedValues.texts`.
        let provider: UInt32
        fileprivate(set) var holders: Int32 = 0
        /// Whether the store has a row of the cohort, which must be deleted once the cohort has no holders.
        fileprivate(set) var isStored: Bool
        /// Whether all of its records are known: none of them was stored by an earlier run of the daemon, some of whose
        /// rows may be unreadable.
        let isOfThisRun: Bool
    }

    private var rows: [Row?] = [nil]
    private var free: [UInt32] = []
    /// The id of the last cohort.
    private var lastID: Int64 = 0
    /// The stored cohorts that have no holders, and are to be deleted from the store.
    private(set) var emptied: [CohortID] = []

    /// The number of indices in use.
    var count: Int { rows.count - 1 - free.count }

    /// The indices in use.
    var inUse: some Sequence<UInt32> { rows.indices.lazy.filter { rows[$0] != nil }.map { UInt32($0) } }

    /// - Parameter index: must be in use.
    private(set) subscript(index: UInt32) -> Row {
        get {
            guard let row = rows[Int(index)] else { preconditionFailure("there is no cohort \(index)") }
            return row
        }
        set { rows[Int(index)] = newValue }
    }

    /// Returns an id that no cohort has had.
    mutating func nextID() -> CohortID {
        lastID += 1
        return CohortID(number: lastID)
    }

    /// Adds a cohort of this run, which is not stored yet.
    ///
    /// - Returns: its index, with the caller as its only holder.
    mutating func add(_ id: CohortID, at: Instant, provider: UInt32) -> UInt32 {
        insert(Row(id: id, at: at, provider: provider, holders: 1, isStored: false, isOfThisRun: true))
    }

    /// Adds a stored cohort of an earlier run, without holders.
    mutating func restore(_ id: CohortID, at: Instant, provider: UInt32) -> UInt32 {
        insert(Row(id: id, at: at, provider: provider, isStored: true, isOfThisRun: false))
    }

    /// Gives later cohorts ids above this one.
    mutating func continueIDs(after last: CohortID) {
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

    /// Records that the store has a cohort.
    mutating func stored(_ index: UInt32) {
        self[index].isStored = true
    }

    /// Records that a new cohort has taken over the row of a cohort.
    ///
    /// - Parameter new: the id of the row of its remaining records; nil if there are none.
    mutating func replaced(_ index: UInt32, with new: CohortID?) {
        if let new { self[index].id = new } else { self[index].isStored = false }
    }

    // MARK: Holders

    mutating func hold(_ index: UInt32) {
        guard index != 0 else { return }
        self[index].holders += 1
    }

    /// - Returns: the provider of a cohort that is removed because it has no more holders; nil if it still has any.
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

    /// Removes and returns stored cohorts without holders.
    mutating func dequeueEmptied(atMost maximum: Int) -> [CohortID] {
        let taken = emptied.suffix(maximum)
        emptied.removeLast(taken.count)
        return Array(taken)
    }

    /// Adds stored cohorts without holders, for example those whose deletion failed.
    mutating func putBack(_ cohorts: [CohortID]) {
        emptied += cohorts
    }
}
