/// The final answer to a request.
package enum Response: Hashable, Sendable {
    case added(Int, already: Int)
    case removed(Int)
    /// In the order asked.
    case entries([EntryView])
    case status(StatusView)
    case page(ListPage)
    /// How many entries are other than they were.
    case labelled(Int)
    case refreshing(Int, fresh: Int)
    /// Newest first.
    case changes([Notice])
    /// Newest first.
    case outages([Outage])
    case reloaded(added: Int, removed: Int)
    case refused(Refusal)
}

/// Why a request is not granted. Nothing has changed.
package enum Refusal: Error, Hashable, Sendable {
    case permissionDenied
    case notWatched(IPAddress)
    /// A limit was met; the number is the limit.
    case tooMany(limit: Int)
    /// The notices after the cursor are not all kept any more; the number is the oldest seq that is.
    case eventsGone(oldest: Int64)
    /// The cursor is of another database: no notice with that seq was ever kept.
    case invalidCursor
    case storeFailed(String)
    case reloadFailed(String)
}

/// The states of the control interface.
package enum EntryState: String, CaseIterable, Hashable, Sendable {
    case loading, fresh, stale, empty, failed
}

/// An entry as it is told: what is kept, and what follows from it at the moment of telling.
package struct EntryView: Hashable, Sendable {
    package var address: IPAddress
    package var state: EntryState
    package var entry: Entry
    /// When the record's life ends or ended; nil without a record.
    package var expiresAt: WallTime?
    /// Why the state is `empty`; the provider's words, or the purpose of a special range.
    package var reason: String?
    /// Why there is nothing newer: the address's own failure, the provider's, or the way that is lost.
    package var failure: Failure?
    /// When the next call is tried, where one failed and a time is known.
    package var nextAttemptAt: WallTime?

    package init(
        address: IPAddress, state: EntryState, entry: Entry, expiresAt: WallTime? = nil, reason: String? = nil,
        failure: Failure? = nil, nextAttemptAt: WallTime? = nil
    ) {
        self.address = address
        self.state = state
        self.entry = entry
        self.expiresAt = expiresAt
        self.reason = reason
        self.failure = failure
        self.nextAttemptAt = nextAttemptAt
    }
}

/// What `Status` tells of the core; version, endpoint and store are the daemon's to add.
package struct StatusView: Hashable, Sendable {
    package struct Quota: Hashable, Sendable {
        package var endpoint: Call.Endpoint
        package var limit: Int?
        package var remaining: Int?
        package var resetsAt: WallTime?
    }

    package struct Counts: Hashable, Sendable {
        package var watched = 0
        /// Looked up without being watched.
        package var cached = 0
        package var pinned = 0
        /// Of watched and cached together.
        package var byState: [EntryState: Int] = [:]
    }

    package struct Provider: Hashable, Sendable {
        package var name: String
        package var state: ProviderState
        package var since: WallTime
        package var message: String?
        /// Since the daemon started.
        package var calls: Int
        package var failures: Int
        package var lastCallAt: WallTime?
        package var quotas: [Quota]
    }

    package var startedAt: WallTime
    package var isOnline: Bool
    package var networkSince: WallTime
    package var networkReason: String?
    package var provider: Provider
    package var counts: Counts
    package var interval: Duration
    package var nextAt: WallTime?
    package var due: Int
    package var inFlight: Int
    /// Which share of the provider's quota the watch list needs; nil where there is no limit.
    package var load: Double?
    package var lastSeq: Int64
}
