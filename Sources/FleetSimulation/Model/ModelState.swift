import Fleet

/// The replicated state of the model core: a watch list with a record of each address, and the quota.
struct ModelState: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        var isWatched = false
        /// The last record; nil if there is none.
        var record: ModelRecord?
    }

    var entries: [Entry]
    /// The calls that are left in the quota window, reservations counted as spent.
    var left: Int

    init(addresses: Int, quota: Int) {
        entries = Array(repeating: Entry(), count: addresses)
        left = quota
    }

    mutating func apply(_ commit: ModelCommit) {
        left = commit.left
        for change in commit.changes {
            switch change.kind {
            case .add: entries[change.address].isWatched = true
            case .remove: entries[change.address].isWatched = false
            }
        }
        for record in commit.records { entries[record.address].record = record }
    }
}
