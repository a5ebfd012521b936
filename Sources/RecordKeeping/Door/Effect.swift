/// What to do, as the keeper tells the shells; they carry out all effects of one event, in order, before the next event.
package enum Effect: Hashable, Sendable {
    /// Write this in one transaction, and answer `.committed` once it is on disk, or `.commitFailed`.
    case commit(Commit)
    /// Send this to the provider, and answer `.replied` or `.callFailed` in any case.
    case call(Call)
    /// Give a call up; its `.callFailed` is still awaited.
    case cancel(Call.ID)

    /// Ask the kernel for a route to any of these, and answer `.wayAnswered` with the same epoch.
    case askWay(epoch: Int, [IPAddress])
    /// Resolve the provider's name, and answer `.resolved`.
    case resolve

    /// Fire `.deadlineReached` at this moment, which replaces the one before; nil for never.
    case arm(BootTime?)

    /// The one final answer to a request.
    case answer(Request.ID, Response)
    /// One reply of several to a request. With `.entries` it is a portion of the one reply, which the entries of the
    /// `.answer` complete.
    case answerPart(Request.ID, Response)
    /// Answer `.resumed` once everybody else has had a turn and the client has taken what it was sent.
    case resume(Request.ID)
    /// Send one notice to each of these listeners, which keep listening.
    case publish(Notice, EntryView?, to: [Request.ID])
    /// Post `.turnBegan` once events that are already queued have been handled and the notices published before are
    /// sent.
    case scheduleTurn
    /// Read at most `limit` kept notices with a `seq` above `after`, and answer `.noticesRead`.
    case readNotices(Request.ID, after: Int64, limit: Int)

    /// Read the newest `limit` changes of an address with a `seq` below `before`, and answer `.changesRead`.
    case readChanges(Request.ID, IPAddress, before: Int64?, limit: Int)
    /// Read the newest `limit` outages that began before `before`, and answer `.outagesRead`.
    case readOutages(Request.ID, before: WallTime?, limit: Int)
    /// Read the watch lists again, and answer `.listsRead` or `.listsUnreadable` with this request.
    ///
    /// - Parameter isForced: the value of `ListReading.isForced`.
    case readLists(Request.ID, isForced: Bool)

    /// Tell it in the journal, with the message id of its kind.
    case announce(Notice)
    /// Log the error that a reading of the lists was refused because it found no address in the files, and that many
    /// listed addresses would leave the watch list.
    case logRefusedReading(listed: Int)
    /// Say this to the service manager: what the daemon does, in one line.
    case describe(Summary)

    /// Everything that was taken on is done: the process may end.
    case finish
}

/// The daemon's condition in a few numbers, for `STATUS=` (sd_notify(3)).
package struct Summary: Hashable, Sendable {
    package var watched: Int
    /// Since when there is no way to the provider; nil while there is one.
    package var offlineSince: WallTime?
    package var provider: ProviderState

    package init(watched: Int, offlineSince: WallTime?, provider: ProviderState) {
        self.watched = watched
        self.offlineSince = offlineSince
        self.provider = provider
    }
}

/// How the provider has been answering.
package enum ProviderState: String, CaseIterable, Hashable, Sendable {
    /// Not called yet.
    case idle
    case ok
    case failing
    case throttled
    case unauthorized
}
