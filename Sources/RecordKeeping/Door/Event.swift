/// What happened, as the shells tell the keeper. Each is a fact in the past; the keeper decides what follows.
package enum Event: Sendable {
    /// Some of the entries that the store holds, and how many there are in all. Before all other events.
    case restoring([SavedEntry], of: Int)
    /// The store was opened and read.
    case restored(Restored)
    /// The configuration and the watch-list files were read, at the start and at each reload: who stands in them.
    case listsRead(ListReading)
    /// The configuration could not be read, and the text says why: the list stays as it is.
    case listsUnreadable(Request.ID?, String)

    case requested(Request)
    /// A client's connection ended: nobody waits for its answers any more.
    case clientLeft(PeerID)

    /// The moment of the last `.arm` has come, or the timer fired early: the keeper looks at the time itself.
    case deadlineReached
    /// The wall clock was set or the machine resumed, so that the timer may be late.
    case clockStepped

    case replied(Call.ID, Reply)
    case callFailed(Call.ID, CallFailure)

    case committed(Commit.ID)
    /// The whole commit failed and nothing of it is on disk; the text says why.
    case commitFailed(Commit.ID, String)
    /// For a listener that reads on from a cursor; without any where there are none after it.
    case noticesRead(Request.ID, NoticePage)
    /// Newest first.
    case changesRead(Request.ID, [Notice])
    /// Newest first.
    case outagesRead(Request.ID, [Outage])
    /// What a request wanted from the disk could not be read, and the text says why.
    case unreadable(Request.ID, String)
    /// It is the request's turn again.
    case resumed(Request.ID)
    /// The turn that the keeper requested with `.scheduleTurn` has begun.
    case turnBegan

    /// The kernel told of a route, link, address or rule; or dropped such a message. It means: ask again.
    case routesChanged
    case wayAnswered(epoch: Int, Way)
    /// The addresses of the provider's name; empty where the name could not be resolved.
    case resolved([IPAddress])

    /// SIGTERM: answer what can be answered, finish the commit under way, take on nothing new.
    case terminating
}

/// What the kernel's routes say of the way to the provider.
package enum Way: Hashable, Sendable {
    case open
    /// No route for any of the addresses asked about; the text says why ("unreachable route").
    case none(reason: String)
    /// The kernel could not be asked; a way is presumed, and the text says why it could not.
    case unknown(reason: String)
}
