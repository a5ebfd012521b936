/// A reply to a request.
package enum Response: Hashable, Sendable {
    /// The number of addresses that were added, and the number that were already on the watch list.
    ///
    /// - Parameter ends: what happened to the ends of the watches that were already on the list.
    case added(Int, already: Int, ends: WatchEndCounts = WatchEndCounts())
    /// The number of entries that left the watch list.
    ///
    /// - Parameter staying: the addresses that stay because a file lists them or a host name has them, in the order of
    ///   the request: at most `Limits.stayingAddresses`.
    case removed(Int, staying: [IPAddress] = [])
    /// The number of host names that were added, and the number that were watched already.
    case namesAdded(Int, already: Int)
    /// The number of host names that are no longer watched.
    case namesRemoved(Int)
    /// The host names, in the order of the request.
    case names([NameView])
    /// The kept events of a host name, newest first.
    case nameEvents([PublishedEvent])
    /// The entries, in the order of the request.
    case entries([EntryView])
    case status(StatusView)
    case metrics(MetricsView)
    case page(ListPage)
    case counts(GroupCounts)
    /// The number of entries that changed.
    case labelled(Int)
    /// The number of addresses without a fresh record, which are retried, and the number of all others.
    case refreshing(Int, fresh: Int)
    case changes(ChangePage)
    /// The requested page, newest first.
    case outages([Outage])
    /// The number of addresses that a reload added, changed and removed, or would add, change and remove.
    ///
    /// - Parameter preview: these addresses; nil if the reload was applied.
    case reloaded(added: Int, changed: Int = 0, removed: Int, preview: ReloadPreview? = nil)
    case refused(Refusal)
}

/// The number of watches that were on the list before an addition, and whose ends differ from the requested one or were
/// removed.
package struct WatchEndCounts: Hashable, Sendable {
    /// The number of watches that had an end, and no longer end by themselves.
    package var removed = 0
    /// The number of watches that end later than the request asked for, or not at all.
    package var kept = 0

    package init(removed: Int = 0, kept: Int = 0) {
        (self.removed, self.kept) = (removed, kept)
    }
}

/// The addresses that a reload would change: at most `Limits.previewedAddresses` of each kind.
package struct ReloadPreview: Hashable, Sendable {
    /// The addresses that the reload would add to the watch list.
    package var added: [IPAddress]
    /// The watched addresses whose labels or sources the reload would change.
    package var changed: [IPAddress]
    /// The addresses that the reload would remove from the watch list.
    package var removed: [IPAddress]
    /// The differences for the first changed addresses; their values have at most `Limits.previewedBytes` in total.
    package var changes: [WatchChange]
    /// The first `Limits.previewedProblems` invalid lines and unreadable files, which the reload would ignore.
    package var problems: [String]

    package init(
        added: [IPAddress] = [], changed: [IPAddress] = [], removed: [IPAddress] = [], changes: [WatchChange] = [],
        problems: [String] = []
    ) {
        self.added = added
        self.changed = changed
        self.removed = removed
        self.changes = changes
        self.problems = problems
    }
}

/// The reason for refusing a request. Nothing has changed, except that a reload may have been applied in part.
package enum Refusal: Error, Hashable, Sendable {
    /// Only an administrator may send this request.
    case permissionDenied
    case notWatched(IPAddress)
    case nameNotWatched(HostName)
    /// The time at which a watch should end has passed.
    case endInPast
    /// A limit was exceeded.
    case tooMany(limit: Int, LimitedResource)
    /// Events after the cursor have been deleted; `oldest` is the seq of the oldest event that can still be read.
    case eventsGone(oldest: Int64)
    /// The cursor comes from another database: no event has had this seq.
    case invalidCursor
    case storeFailed(String)
    case reloadFailed(String)
}

/// A resource with a limit, as the control interface names it (`TooMany.resource`).
package enum LimitedResource: String, CaseIterable, Hashable, Sendable {
    /// The addresses on the watch list.
    case watchedAddresses
    /// The addresses of one request.
    case addressesPerRequest
    /// The host names that are watched.
    case watchedNames
    /// The host names of one request.
    case namesPerRequest
    /// The tags of one entry.
    case tagsPerEntry
    /// The elements of one page.
    case pageSize
    /// The groups of one count.
    case groups
    /// The addresses that are looked up without being watched.
    case lookups
    /// The open `Monitor` calls.
    case listeners
    /// The requests that wait for the result of a call, or for data on disk.
    case waitingRequests
    /// The changes that wait for a commit.
    case queuedChanges
}

/// The states of an entry in the control interface.
package enum EntryState: String, CaseIterable, Hashable, Sendable {
    case loading, fresh, stale, empty, failed
}

/// An entry as it is sent to clients: the stored data, and the entry's state at that moment.
package struct EntryView: Hashable, Sendable {
    package var address: IPAddress
    package var state: EntryState
    package var entry: Entry
    /// The ids of the entry's interned values; nil if they are not interned.
    package var ids: InternedIDs?
    /// The time at which the record expires or expired; nil if there is no record, or if its source is not a remote
    /// provider in use.
    package var expiresAt: WallTime?
    /// The reason why the provider has no record of the address: its message, or the purpose of a special-purpose
    /// range.
    package var reason: String?
    /// The reason why there is no fresh record: there is no route, commits fail, the last call for the address failed,
    /// the provider is failing, or its quota is used up.
    package var failure: Failure?
    /// The earliest time of the next attempt; nil if an attempt may be made now, or if there is no route.
    package var nextAttemptAt: WallTime?
}

/// The core's part of the reply to `Metrics`. The daemon adds the store, the clients and the process.
package struct MetricsView: Hashable, Sendable {
    package var status: StatusView
    /// The number of watched entries in each state.
    package var watched: [EntryState: Int]
    package var counters: Counters
    /// The outages of each cause since the daemon started, including the current one.
    package var outages: [Outage.Cause: Counters.Outages]
    /// The age of the oldest record; nil if there is no record.
    package var oldestRecordAge: Duration?
}

/// The core's part of the reply to `Status`. The daemon adds the version, the endpoint and the store.
package struct StatusView: Hashable, Sendable {
    package struct Quota: Hashable, Sendable {
        package var endpoint: Call.Endpoint
        /// Requests per window; nil if unknown or unlimited.
        package var limit: Int?
        /// Requests left in the open window; equal to `limit` if no window is open.
        package var remaining: Int?
        /// The latest time at which the open window ends; after a refusal that did not report an end, the time of the
        /// next attempt. Nil if no window is open.
        package var resetsAt: WallTime?
    }

    package struct Counts: Hashable, Sendable {
        package var watched = 0
        /// Addresses that are looked up but not watched.
        package var cached = 0
        package var pinned = 0
        /// The number of watched and cached entries in each state.
        package var byState: [EntryState: Int] = [:]
    }

    package struct Names: Hashable, Sendable {
        /// The number of watched host names.
        package var watched = 0
        /// The number of those that cannot be resolved.
        package var failing = 0
    }

    package struct Provider: Hashable, Sendable {
        package var name: String
        package var state: ProviderState
        package var since: WallTime
        package var message: String?
        /// The number of calls since the daemon started; `failures` is the number of those that failed.
        package var calls: Int
        package var failures: Int
        package var lastCallAt: WallTime?
        package var quotas: [Quota]
        package var endpoints: [Endpoint] = []
    }

    /// The health of one endpoint of the provider.
    package struct Endpoint: Hashable, Sendable {
        package var endpoint: Call.Endpoint
        package var state: ProviderState
        package var since: WallTime
        package var message: String?
        /// The number of calls since the daemon started; `failures` is the number of those that failed.
        package var calls: Int
        package var failures: Int
    }

    package var startedAt: WallTime
    package var isOnline: Bool
    /// The time at which the network state began.
    package var networkSince: WallTime
    package var networkReason: String?
    package var provider: Provider
    package var counts: Counts
    package var names = Names()
    package var interval: Duration
    /// The time at which the next watched record expires or the next failed address is retried; nil if there is none.
    package var nextAt: WallTime?
    /// Addresses that wait for a call.
    package var due: Int
    /// Addresses in calls that have not been answered.
    package var inFlight: Int
    /// The share of the provider's quota that the watch list needs; nil if a quota is unknown or unlimited.
    package var load: Double?
    package var lastSeq: Int64
    /// The reason why the last commit failed; nil unless commits are failing.
    package var storeFailure: String? = nil
    /// The user id of the caller.
    package var user: UInt32 = 0
    /// Whether the caller may change the watch list.
    package var isAdministrator = false
}
