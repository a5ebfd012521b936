/// The rows that a leader deletes from the database: the journal, outcomes of proposals and events have retentions of
/// their own.
package struct Sweep: Hashable, Sendable {
    /// The row before which rows of the journal are deleted, and the ids of resolved operations with them. The row
    /// itself is kept.
    package var journal: JournalCursor
    /// The number of the last row whose outcomes of proposals are deleted; -1 if none are.
    package var outcomes: Int64
    /// The number of the last row whose events are deleted.
    package var history: Int64
    /// The maximum number of rows of each table, so that the transaction is short.
    package var limit: Int

    package init(journal: JournalCursor, outcomes: Int64, history: Int64, limit: Int) {
        (self.journal, self.outcomes, self.history, self.limit) = (journal, outcomes, history, limit)
    }
}
