/// A change that waits for a commit.
enum PendingChange: Sendable {
    /// A client's change, which is answered after the commit.
    case request(Request)
    /// A reply of the provider to a call with these addresses.
    case reply([IPAddress], Reply)
    /// A failure of an address, after a call with it alone failed.
    case addressFailed(IPAddress, CallFailure)
    /// The removal of a lookup whose record has expired.
    case forget(IPAddress)
    /// An event about the route or the provider, which must not be lost.
    ///
    /// - Parameter announced: whether the event is already in the journal, because a commit with it failed.
    case publish(PublishedEvent.Kind, at: WallTime, message: String, announced: Bool)
    /// A change in the saved state of the route, the provider or the quota.
    case saveHealth
}
