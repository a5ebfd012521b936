import RecordKeeping

/// The rows of a table of values that records share, by value.
///
/// The row of a value stays when no record refers to it any more, until such rows outnumber the others by more than
/// 10,000.
struct SharedRows<Value: Internable> {
    private var ids: [Interned<Value>: Int64] = [:]
    private var lastID: Int64 = 0
    /// The number of rows.
    private var count = 0
    /// The number of rows to which records referred when they were last counted.
    private var used = 0
    /// The values whose rows were added in the current transaction.
    private var added: [Interned<Value>] = []
    /// The ids of the unused rows that were deleted in the current transaction; nil if the transaction has not searched
    /// for unused rows.
    private var deleted: Set<Int64>?

    /// The number of rows without records below which deleting them is not worthwhile.
    private static var tolerance: Int { 10_000 }

    /// - Parameter lastID: the largest id in the table, whose rows are not known.
    init(lastID: Int64 = 0) {
        self.lastID = lastID
    }

    /// - Parameters:
    ///   - rows: the rows of the table, with their ids.
    ///   - lastID: the largest id in the table, including rows that cannot be read.
    ///   - used: the number of rows to which records refer.
    init(_ rows: [Int64: Interned<Value>], lastID: Int64, used: Int) {
        ids.reserveCapacity(rows.count)
        for (id, value) in rows where ids[value] == nil { ids[value] = id }
        count = rows.count
        self.lastID = lastID
        self.used = used
    }

    /// Returns the id of a value's row.
    ///
    /// - Parameter insert: adds a row with this id; called if there is no row with the bytes of the value.
    mutating func id(of value: Interned<Value>, insert: (_ id: Int64) throws -> Void) rethrows -> Int64 {
        let known = ids.index(forKey: value)
        let isDeleted = known.map { deleted?.contains(ids[$0].value) ?? false } ?? false
        if let known, ids[known].key.isExactly(value), !isDeleted { return ids[known].value }
        try insert(lastID + 1)
        lastID += 1
        added.append(value)
        // Values that are equal, but differ in their bytes (canonically equivalent strings), are rare. Each use of the
        // second value adds a row.
        if known == nil || isDeleted {
            // The old key is removed first: otherwise, the dictionary would keep an equal key with other bytes.
            ids[value] = nil
            ids[value] = lastID
        }
        return lastID
    }

    // MARK: Transactions

    mutating func committed() {
        count += added.count
        if let deleted {
            count -= deleted.count
            used = count
            ids = ids.filter { !deleted.contains($0.value) }
        }
        (added, deleted) = ([], nil)
    }

    mutating func rolledBack() {
        for value in added where ids[value].map({ $0 > lastID - Int64(added.count) }) ?? false { ids[value] = nil }
        (added, deleted) = ([], nil)
    }

    // MARK: Unused rows

    /// Whether enough rows have been added that most of them may be unused.
    var needsSweep: Bool { count > 2 * used + Self.tolerance }

    /// Records that the current transaction has deleted these unused rows.
    mutating func swept(_ rows: Set<Int64>) {
        deleted = rows
    }
}
