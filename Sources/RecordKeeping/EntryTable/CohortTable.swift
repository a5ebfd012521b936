/// The cohorts of the current records.
///
/// A cohort is the set of records that one call fetched and that no later call has fetched again; they share the call's
/// time and provider. If a later call fetches all records of a cohort, the cohort of that call takes over the row in
/// the store, so that repeated records need not be written.
///
/// Cohorts are identified by small indices; the index 0 stands for no cohort. The holders of a cohort are the entries
/// with its records, and the pending commit while it refers to the cohort. An index is reused once its cohort has no
/// holders.
struct CohortTable: Sendable {
    /// The time and the source of a cohort, and the number of its holders.
    struct Row: Sendable {
        /// The id of its row in the store.
        fileprivate(set) var id: CohortID
        /// The time at which the call was sent.
        let at: Instant
        /// The provider's index in `InternedValues.texts`.
        let provider: UInt32
        /// The version of the local databases; nil for a remote provider.
        let version: DataVersion.ID?
        fileprivate(set) var holders: Int32 = 0
        /// Whether the store has a row for the cohort, which must be deleted once the cohort has no holders.
        fileprivate(set) var isStored: Bool
        /// Whether the cohort was added in this run of the daemon, so that all of its records are known. A cohort of an
        /// earlier run may also have records that could not be read.
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

    /// Returns a new id, which no cohort has had before.
    mutating func nextID() -> CohortID {
        lastID += 1
        return CohortID(number: lastID)
    }

    /// Adds a cohort of this run, which is not stored yet.
    ///
    /// - Returns: its index, with the caller as its only holder.
    mutating func add(_ id: CohortID, at: Instant, provider: UInt32, version: DataVersion.ID?) -> UInt32 {
        insert(
            Row(
                id: id, at: at, provider: provider, version: version, holders: 1, isStored: false, isOfThisRun: true))
    }

    /// Adds a stored cohort of an earlier run, without holders.
    mutating func restore(_ id: CohortID, at: Instant, provider: UInt32, version: DataVersion.ID?) -> UInt32 {
        insert(Row(id: id, at: at, provider: provider, version: version, isStored: true, isOfThisRun: false))
    }

    /// Ensures that later cohorts get ids above this one.
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

    /// Records that the store has a row for the cohort.
    mutating func stored(_ index: UInt32) {
        self[index].isStored = true
    }

    /// Records that a new cohort has taken over the row of this cohort.
    ///
    /// - Parameter new: the id of a new row for the remaining records of this cohort; nil if none remain.
    mutating func replaced(_ index: UInt32, with new: CohortID?) {
        if let new { self[index].id = new } else { self[index].isStored = false }
    }

    // MARK: Holders

    mutating func hold(_ index: UInt32) {
        guard index != 0 else { return }
        self[index].holders += 1
    }

    /// Removes a holder of a cohort, and the cohort itself if that was its last holder.
    ///
    /// - Returns: the provider of the removed cohort; nil if the cohort still has holders.
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

    /// Queues stored cohorts without holders for deletion, for example after their deletion has failed.
    mutating func putBack(_ cohorts: [CohortID]) {
        emptied += cohorts
    }
}
