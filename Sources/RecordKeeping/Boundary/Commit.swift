/// Changes that are written in one transaction.
///
/// The keeper emits the next commit only after `.committed` or `.commitFailed` for the previous one.
package struct Commit: Hashable, Sendable {
    /// The id of a commit, unique within one run of the daemon.
    package struct ID: Hashable, Sendable {
        package let number: Int64
        package init(number: Int64) { self.number = number }
    }

    package let id: ID
    /// The changes, in the order in which they are written.
    package let writes: [Write]

    package init(id: ID, writes: [Write]) {
        self.id = id
        self.writes = writes
    }

    package enum Write: Hashable, Sendable {
        /// Creates a cohort, or updates the time, the provider and the version of the local databases of all records
        /// that belong to it. Precedes the writes that refer to it.
        case cohort(CohortID, at: Instant, provider: String, version: DataVersion.ID? = nil)
        /// Creates or updates an entry. If `cohort` is not nil, the entry has an answer, which replaces the stored
        /// record and belongs to this cohort; otherwise, the stored record is unchanged.
        case put(EntryKey, Entry, cohort: CohortID?)
        /// Moves the records of these entries to another cohort.
        case move([EntryID], to: CohortID)
        /// Removes an entry with its record and the history of its changes. Events about the entry are kept.
        case remove(EntryKey)
        /// Removes a cohort that no record belongs to.
        case removeCohort(CohortID)
        /// Removes a stored entry that has no counterpart in memory, with its record: a lookup without a usable record,
        /// or a duplicate entry for an address.
        case removeObsolete(EntryID)
        /// Creates or replaces a watched host name with its addresses.
        case putName(SavedName)
        /// Removes a watched host name with its addresses. Events about the name are kept.
        case removeName(HostName)
        /// Adds a kept event. An event of kind `changed` is also added to the history of its address.
        case event(PublishedEvent)
        /// Deletes the events, changes, outages and marks up to this mark.
        case forgetHistory(through: HistoryMark)
        /// Adds a history mark, which records how much history existed at a time on the retention clock.
        case historyMark(HistoryMark)
        /// Replaces the saved retention clock.
        case historyClock(SavedHistoryClock)
        /// Records that all alerts up to this seq are in the journal.
        case alertsLogged(through: Int64)
        /// Records whether the watch list has entries from watch-list files.
        case hasFileEntries(Bool)
        /// Replaces the quota window of one endpoint of one provider.
        case window(SavedWindow)
        /// Replaces the health of one endpoint of one provider.
        case health(SavedHealth)
        /// Replaces the saved loss of the route to the provider; nil if there is a route.
        case networkLoss(SavedLoss?)
        /// Adds an outage, or replaces the outage with the same number.
        case outage(Outage)
    }
}

/// A quota window as it is saved for the next run.
package struct SavedWindow: Hashable, Sendable {
    /// The provider, as in `Settings.providerEndpoint`; nil if an old version did not save it.
    package var provider: String?
    package var endpoint: Call.Endpoint
    /// Requests that a window allows; nil if no reply has reported the quota.
    package var limit: Int?
    /// Requests left until `resetsAt`, not counting those that are reserved or in flight; nil if no window is open.
    package var remaining: Int?
    /// Calls that were reserved, in flight or lost: the provider may count them in this window or in the next one.
    package var outstanding: Int
    /// The latest time at which the window ends; nil if no window is open.
    package var resetsAt: Instant?
    /// The known length of a window of the endpoint. This length bounds how long a restored window stays open, because
    /// `resetsAt` may come from a wrong clock.
    package var length: Duration
    /// How much earlier than `resetsAt` the window may end; nil if no reply has reported its end.
    package var margin: Duration?
    /// Whether the window was saved before the last boot. If so, only the time since that boot is known to have
    /// elapsed.
    package var isOfEarlierBoot: Bool

    package init(
        provider: String?, endpoint: Call.Endpoint, limit: Int?, remaining: Int?, outstanding: Int = 0,
        resetsAt: Instant?,
        length: Duration,
        margin: Duration? = nil, isOfEarlierBoot: Bool = false
    ) {
        self.provider = provider
        self.isOfEarlierBoot = isOfEarlierBoot
        self.endpoint = endpoint
        self.limit = limit
        self.remaining = remaining
        self.outstanding = outstanding
        self.resetsAt = resetsAt
        self.length = length
        self.margin = margin
    }
}

/// The health of an endpoint as it is saved for the next run.
package struct SavedHealth: Hashable, Sendable {
    /// The provider, as in `Settings.providerEndpoint`; nil if an old version did not save it.
    package var provider: String?
    package var endpoint: Call.Endpoint
    package var state: ProviderState
    /// The time at which the state began.
    package var since: WallTime
    /// The last of the consecutive failures, whose `attempts` determine the backoff; nil while the endpoint answers.
    package var failure: Failure?
    /// The time before which no call is made; nil if the next call need not wait.
    package var retryAt: Instant?
    /// Whether `retryAt` comes from `Retry-After`. If so, nothing ends the wait early.
    package var isFromRetryAfter: Bool

    package init(
        provider: String?, endpoint: Call.Endpoint, state: ProviderState, since: WallTime, failure: Failure? = nil,
        retryAt: Instant? = nil, isFromRetryAfter: Bool = false
    ) {
        self.provider = provider
        self.endpoint = endpoint
        self.state = state
        self.since = since
        self.failure = failure
        self.retryAt = retryAt
        self.isFromRetryAfter = isFromRetryAfter
    }
}

/// The loss of the route to the provider, saved so that the daemon does not report the loss again after a restart.
package struct SavedLoss: Hashable, Sendable {
    package var since: WallTime
    package var reason: String

    package init(since: WallTime, reason: String) {
        self.since = since
        self.reason = reason
    }
}
