/// Changes that become durable together or not at all.
///
/// The keeper hands over one commit at a time, and the next only after the `.committed` or `.commitFailed` of the last.
package struct Commit: Hashable, Sendable {
    package struct ID: Hashable, Sendable {
        package let number: Int64
        package init(number: Int64) { self.number = number }
    }

    package let id: ID
    /// In the order in which they are to be written.
    package let writes: [Write]

    package init(id: ID, writes: [Write]) {
        self.id = id
        self.writes = writes
    }

    package enum Write: Hashable, Sendable {
        /// The entry as it is from now on. Where `scanReplaced` holds, the row of the old record is deleted and one for
        /// the new is inserted; otherwise the record's row stays untouched.
        case put(IPAddress, Entry, scanReplaced: Bool)
        /// The entry with its record and the history of its changes. Kept notices stay.
        case remove(IPAddress)
        /// A notice with a seq; one of kind `changed` also goes into the address's history.
        case notice(Notice)
        /// The deletion of events, changes and outages up to this mark, and of the marks up to it.
        case forgetHistory(through: HistoryMark)
        case historyMark(HistoryMark)
        /// The retention clock, which replaces the saved one.
        case historyClock(SavedHistoryClock)
        /// The mark that every alert up to this seq is in the journal.
        case alertsLogged(through: Int64)
        /// Whether the watch list has entries of watch-list files, in place of the saved value.
        case hasFileEntries(Bool)
        /// The quota window of one endpoint, in place of the one kept.
        case window(SavedWindow)
        /// The health of a provider, in place of the one kept of it.
        case provider(SavedProvider)
        /// Since when there is no way to the provider, in place of what is kept; nil when there is one.
        case networkLoss(SavedLoss?)
        /// An outage, in place of the one kept with its number.
        case outage(Outage)
    }
}

/// A quota window, as it outlives a restart.
package struct SavedWindow: Hashable, Sendable {
    /// Whose it is, as `Settings.providerEndpoint`; nil where that was not written down.
    package var provider: String?
    package var endpoint: Call.Endpoint
    /// Requests a window allows; nil where no reply has told yet.
    package var limit: Int?
    /// What is left until `resetsAt`, what was in flight counted as spent.
    package var remaining: Int?
    /// Calls that were under way, or may be: the provider may have counted them in this window or in the next.
    package var underWay: Int
    package var resetsAt: Instant?
    /// How long the endpoint's windows are, as far as is known. No window is left open for longer after a restart, whatever
    /// a wrong clock says of its end.
    package var length: Duration
    /// How long before `resetsAt` the window may be over; nil where nothing has told of its end.
    package var margin: Duration?
    /// It was written before the machine was last started: how much of it has passed is known by no clock but the one that
    /// began then.
    package var isOfEarlierBoot: Bool

    package init(
        provider: String?, endpoint: Call.Endpoint, limit: Int?, remaining: Int?, underWay: Int = 0, resetsAt: Instant?,
        length: Duration,
        margin: Duration? = nil, isOfEarlierBoot: Bool = false
    ) {
        self.provider = provider
        self.isOfEarlierBoot = isOfEarlierBoot
        self.endpoint = endpoint
        self.limit = limit
        self.remaining = remaining
        self.underWay = underWay
        self.resetsAt = resetsAt
        self.length = length
        self.margin = margin
    }
}

/// The health of the provider as a whole, as it outlives a restart.
package struct SavedProvider: Hashable, Sendable {
    /// Who it is, as `Settings.providerEndpoint`; nil where that was not written down.
    package var endpoint: String?
    package var state: ProviderState
    package var since: WallTime
    /// The last failure while the provider fails; nil while it answers. Its `attempts` give the backoff.
    package var failure: Failure?
    /// No call before this; nil while the provider answers.
    package var retryAt: Instant?

    package init(
        endpoint: String?, state: ProviderState, since: WallTime, failure: Failure? = nil, retryAt: Instant? = nil
    ) {
        self.endpoint = endpoint
        self.state = state
        self.since = since
        self.failure = failure
        self.retryAt = retryAt
    }
}

/// The loss of the way to the provider, as it outlives a restart, so that no loss is told twice.
package struct SavedLoss: Hashable, Sendable {
    package var since: WallTime
    package var reason: String

    package init(since: WallTime, reason: String) {
        self.since = since
        self.reason = reason
    }
}
