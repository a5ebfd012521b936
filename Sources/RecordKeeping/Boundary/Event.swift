/// An input of the core: a fact that a shell reports to the keeper, which decides what follows.
package enum Event: Sendable {
    /// Some of the stored entries, and the total number of stored entries. Precedes all other events.
    case restoring([SavedEntry], of: Int)
    /// The stored state except the entries. Follows the last `.restoring`.
    case restored(Restored)
    /// The configuration and the watch-list files have been read, at startup or for a reload.
    case listsRead(ListReading)
    /// The configuration could not be read; the string is the reason. The watch list stays as it is.
    case listsUnreadable(Request.ID?, String)

    case requested(Request)
    /// A client's connection has ended. The client's requests no longer need replies.
    case clientLeft(PeerID)

    /// The timer has fired, possibly early, so the keeper checks the time itself.
    case deadlineReached
    /// The wall clock was set or the machine resumed, so the timer may be late.
    case clockStepped

    case replied(Call.ID, Reply)
    case callFailed(Call.ID, CallFailure)

    case committed(Commit.ID)
    /// The commit failed as a whole, and none of it is on disk; the string is the reason.
    case commitFailed(Commit.ID, String)
    /// A page of kept events for a listener that continues from a cursor; empty if there are no later events.
    case eventsRead(Request.ID, EventPage)
    case changesRead(Request.ID, ChangePage)
    /// The outages, newest first.
    case outagesRead(Request.ID, [Outage])
    /// The kept events of a host name, newest first.
    case nameEventsRead(Request.ID, [PublishedEvent])
    /// The store could not read the data for a request; the string is the reason.
    case unreadable(Request.ID, String)
    /// The request in an earlier `.resume` effect can continue.
    case resumed(Request.ID)
    /// The turn that the keeper requested with `.scheduleTurn` has begun.
    case turnBegan

    /// The kernel has reported a change to a route, link, address or rule, or has dropped such a message. The route has
    /// to be checked again.
    case routesChanged
    /// The result of the route check with this epoch.
    case routeChecked(epoch: Int, RouteStatus)
    /// The addresses of the provider's host name; empty if it could not be resolved.
    case resolved([IPAddress])
    /// The result of resolving a watched host name. If the addresses of one family could not be queried, the answer
    /// has only those of the other one.
    case nameResolved(HostName, NameAnswer, unanswered: IPAddress.Family? = nil)

    /// The local databases have changed: from now on, replies come from this version, and records of other versions are
    /// no longer current. With nil, no database can be read.
    case providerDataChanged(DataVersion?)

    /// SIGTERM: the keeper replies to waiting requests, finishes the calls in flight, commits the queued changes, and
    /// accepts no new changes.
    case terminating
}

/// The result of a route check.
package enum RouteStatus: Hashable, Sendable {
    /// There is a route to at least one of the addresses.
    case open
    /// There is no route to any of the addresses; the string is the reason, such as "unreachable route".
    case none(reason: String)
    /// The kernel could not be queried, so a route is presumed; the string is the reason.
    case unknown(reason: String)
}
