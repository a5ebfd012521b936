/// A change that waits for a commit.
enum PendingChange: Sendable {
    /// A client's change, which is answered after the commit.
    ///
    /// - Parameter end: when the watches that it begins end by themselves; nil if they do not.
    case request(Request, end: WatchEnd? = nil)
    /// A reply from the provider to a call for these addresses.
    case reply([LocatedAddress], Reply)
    /// A failure that is recorded for an address, because a call for this address alone failed.
    case addressFailed(IPAddress, CallFailure)
    /// The removal of a looked-up entry whose record has expired.
    case forget(IPAddress)
    /// The removal of an address whose watch has ended, unless its end has been postponed since.
    case endWatch(IPAddress)
    /// The result of resolving a watched host name.
    ///
    /// - Parameters:
    ///   - unanswered: the family whose addresses could not be queried. The name keeps those that it has.
    ///   - at: the time of the result.
    case nameResolved(HostName, NameAnswer, unanswered: IPAddress.Family?, at: WallTime)
    /// An event about the route or the provider, which must not be lost.
    ///
    /// - Parameter announced: whether the event is already in the journal; while commits fail, alerts are logged at
    ///   once.
    case publish(PublishedEvent.Kind, at: WallTime, message: String, announced: Bool)
    /// A change to the saved state of the route, the provider or the quota.
    case saveHealth
}

extension PendingChange {
    /// Whether a client waits for this work.
    var isAwaited: Bool {
        if case .request = self { true } else { false }
    }

    /// Whether this is the removal of an address whose watch has ended.
    var isWatchEnd: Bool {
        if case .endWatch = self { true } else { false }
    }

    /// Whether this is the result of resolving a watched host name.
    var isNameResult: Bool {
        if case .nameResolved = self { true } else { false }
    }

    /// The work to repeat after its commit failed; nil for a client's change, which is refused instead, and for the
    /// result of a resolution, because the name is resolved again.
    var again: PendingChange? {
        switch self {
        case .request, .nameResolved: nil
        case .reply, .addressFailed, .forget, .endWatch, .publish, .saveHealth: self
        }
    }
}
