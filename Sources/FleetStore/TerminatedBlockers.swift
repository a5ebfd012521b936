/// The result of an attempt to terminate the sessions that block a takeover.
package struct TerminatedBlockers: Hashable, Sendable {
    package let count: Int
    /// The sessions that this role must not terminate.
    package let refused: Int
}
