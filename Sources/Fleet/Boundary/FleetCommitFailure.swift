/// The reason why a commit of the leader's core failed.
package enum FleetCommitFailure: Hashable, Sendable {
    /// The node no longer leads. The journal shows whether the commit was made.
    case leaseLost
    /// The commit was not made, since these proposals have an outcome. Without them, it can be repeated.
    case outcomesKnown([UniqueID])
    /// The commit was not made, and can be repeated.
    case refused(reason: String)
}
