/// The result of an attempt to terminate the sessions that block a takeover.
package struct TerminatedBlockers: Hashable, Sendable {
    /// The number of terminated sessions.
    package let count: Int
    /// The number of sessions that this role is not permitted to terminate.
    package let refused: Int
}
