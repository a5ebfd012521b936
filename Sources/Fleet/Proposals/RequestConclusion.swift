/// The final state of a client's request.
package enum RequestConclusion: Hashable, Sendable {
    /// The change is committed, and this node has applied it.
    case done(reply: [UInt8])
    /// The change has not been made and will not be made.
    case unreachable
    /// The change may have been made, or may still be made.
    case unknown
    /// Too many requests of this node or user wait for their outcome.
    case tooMany
}
