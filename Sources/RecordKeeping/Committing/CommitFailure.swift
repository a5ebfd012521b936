/// The last of consecutive failed commits.
struct CommitFailure: Hashable, Sendable {
    /// The store's description of the error.
    let reason: String
    /// The time of the last failure.
    let at: Instant
    /// Number of consecutive failed commits.
    let attempts: Int
    /// The earliest time of the next commit, unless a client's change causes an earlier attempt.
    let retryAt: BootTime
}
