package import RecordKeeping

/// The conditions of a new leader.
package struct Leadership: Hashable, Sendable {
    package let term: Int64
    /// The time from which addresses may be called that the predecessor may have called as well: those that may have
    /// been due before this leadership began.
    package let affectedFrom: BootTime
    /// Whether the journal contains all reservations. If not, the quota counts as spent for a lease and a whole window,
    /// and the first commit must contain these windows as spent: after any row of the incarnation, the quota is known
    /// for the next leader.
    package let isQuotaKnown: Bool
    /// The encoding of rows that all live nodes can read.
    package let encoding: Int
}
