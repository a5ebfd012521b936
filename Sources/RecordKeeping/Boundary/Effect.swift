/// An instruction from the keeper to a shell. The shells perform all effects of one event, in order, before the keeper
/// handles the next event.
package enum Effect: Hashable, Sendable {
    /// Writes the commit in one transaction. Followed by `.committed` once the commit is on disk, or by
    /// `.commitFailed`.
    case commit(Commit)
    /// Sends the call to the provider. Always followed by `.replied` or `.callFailed`.
    case call(Call)
    /// Cancels the call, which is still followed by `.callFailed` or `.replied`.
    case cancel(Call.ID)

    /// Asks the kernel for a route to any of the addresses. Followed by `.routeChecked` with the same epoch.
    case checkRoute(epoch: Int, [IPAddress])
    /// Resolves the provider's host name. Followed by `.resolved`.
    case resolve
    /// Resolves a watched host name. Followed by `.nameResolved`. At most `Limits.resolutionsInFlight` of these
    /// resolutions are in progress at a time.
    case resolveName(HostName)

    /// Sets the only timer, which posts `.deadlineReached` at this time; nil stops the timer.
    case arm(BootTime?)

    /// Sends the final reply to a request.
    case answer(Request.ID, Response)
    /// Sends one of several replies to a request. With `.entries`, the response is a portion of a single reply, which
    /// `.answer` completes.
    case answerPart(Request.ID, Response)
    /// Posts `.resumed` once other clients have had a turn and the client has read enough of the replies sent so far.
    case resume(Request.ID)
    /// Publishes an event to these listeners, with the current entry if the kind of the event requires it (`hasEntry`).
    case publish(PublishedEvent, EntryView?, to: [Request.ID])
    /// Posts `.turnBegan` once the queued events have been handled and the events published so far have been sent.
    case scheduleTurn
    /// Reads at most `limit` kept events with a seq above `after`. Followed by `.eventsRead` or `.unreadable`.
    case readEvents(Request.ID, after: Int64, limit: Int)

    /// Reads the newest changes. Followed by `.changesRead` or `.unreadable`.
    case readChanges(Request.ID, ChangeQuery)
    /// Reads the newest `limit` outages that began before `before`. Followed by `.outagesRead` or `.unreadable`.
    case readOutages(Request.ID, before: WallTime?, limit: Int)
    /// Reads the newest `limit` kept events of a host name with a seq below `before`. Followed by `.nameEventsRead` or
    /// `.unreadable`.
    case readNameEvents(Request.ID, HostName, before: Int64?, limit: Int)
    /// Reads the configuration and the watch-list files again. Followed by `.listsRead` or `.listsUnreadable` with this
    /// request.
    ///
    /// - Parameters:
    ///   - isForced: the value of `ListReading.isForced`.
    ///   - isPreview: the value of `ListReading.isPreview`.
    case readLists(Request.ID, isForced: Bool, isPreview: Bool = false)

    /// Logs an alert in the journal, with the MESSAGE_ID of its kind.
    case announce(PublishedEvent)
    /// Logs an error: the lists were not applied, because the watch-list files contain no address and `listed`
    /// addresses would leave the watch list.
    case logRefusedReading(listed: Int)
    /// Logs an error: a commit failed for this reason and will be retried.
    case logStoreFailure(reason: String)
    /// Logs that commits succeed again.
    case logStoreRecovery
    /// Sends the state of the daemon to the service manager, as one line.
    case describe(Summary)

    /// Exits the process. Emitted at the end of the shutdown.
    case finish
}

/// The state of the daemon for `STATUS=` (sd_notify(3)).
package struct Summary: Hashable, Sendable {
    package var watched: Int
    /// The time at which the route to the provider was lost; nil while there is a route.
    package var offlineSince: WallTime?
    package var provider: ProviderState
}

/// The state of the provider, according to its last replies.
package enum ProviderState: String, CaseIterable, Hashable, Sendable {
    /// No call has been made yet.
    case idle
    case ok
    case failing
    case throttled
    case unauthorized
}
