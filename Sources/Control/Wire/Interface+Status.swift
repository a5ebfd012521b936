import RecordKeeping

extension Interface {
    /// The state of the route to the provider. `since` is a Unix time in milliseconds.
    package struct Network: Codable, Hashable, Sendable {
        package var state: String
        package var since: Int64
        package var reason: String?

        init(_ view: StatusView) {
            state = view.isOnline ? "online" : "offline"
            since = view.networkSince.milliseconds
            reason = view.networkReason
        }
    }

    /// A quota of the provider; `name` is the raw value of a `Call.Endpoint`. Nil values are unknown.
    package struct Quota: Codable, Hashable, Sendable {
        package var name: String
        package var limit: Int?
        package var remaining: Int?
        package var resetsAt: Int64?
    }

    /// The health of one endpoint of the provider; `name` is the raw value of a `Call.Endpoint`.
    package struct Endpoint: Codable, Hashable, Sendable {
        package var name: String
        package var state: String
        package var since: Int64
        package var message: String?
        package var calls: Int
        package var failures: Int

        init(_ view: StatusView.Endpoint) {
            name = view.endpoint.rawValue
            state = view.state.rawValue
            since = view.since.milliseconds
            message = view.message
            calls = view.calls
            failures = view.failures
        }
    }

    /// The state of the provider, with the numbers of calls and failures since the daemon started.
    package struct Provider: Codable, Hashable, Sendable {
        package var name: String
        package var endpoint: String
        /// The host and port of the proxy; nil if the provider is called directly.
        package var proxy: String?
        package var state: String
        package var since: Int64
        package var message: String?
        package var calls: Int
        package var failures: Int
        package var lastCallAt: Int64?
        package var quotas: [Quota]
        package var endpoints: [Endpoint]

        /// Whether the records come from local databases, which need no network.
        package var isLocal: Bool { endpoint == Settings.localEndpoint }

        init(_ view: StatusView.Provider, endpoint: String, proxy: String?) {
            name = view.name
            self.endpoint = endpoint
            self.proxy = proxy
            state = view.state.rawValue
            since = view.since.milliseconds
            message = view.message
            calls = view.calls
            failures = view.failures
            lastCallAt = view.lastCallAt?.milliseconds
            quotas = view.quotas.map {
                Quota(
                    name: $0.endpoint.rawValue, limit: $0.limit, remaining: $0.remaining,
                    resetsAt: $0.resetsAt?.milliseconds)
            }
            endpoints = view.endpoints.map { Endpoint($0) }
        }
    }

    /// The number of entries by state, both watched and cached.
    package struct Counts: Codable, Hashable, Sendable {
        package var watched: Int
        /// Entries that were looked up but are not watched.
        package var cached: Int
        package var pinned: Int
        package var loading: Int
        package var fresh: Int
        package var stale: Int
        package var empty: Int
        package var failed: Int

        init(_ counts: StatusView.Counts) {
            func count(_ state: EntryState) -> Int { counts.byState[state] ?? 0 }
            watched = counts.watched
            cached = counts.cached
            pinned = counts.pinned
            loading = count(.loading)
            fresh = count(.fresh)
            stale = count(.stale)
            empty = count(.empty)
            failed = count(.failed)
        }
    }

    /// The refresh schedule.
    package struct Schedule: Codable, Hashable, Sendable {
        /// In milliseconds.
        package var interval: Int64
        /// The next deadline, as a Unix time in milliseconds; nil if there is none.
        package var nextAt: Int64?
        /// The number of entries that are waiting for a call.
        package var due: Int
        /// The number of addresses in calls in flight.
        package var inFlight: Int
        /// The share of the provider's quota that the watch list needs; 1.0 is the whole quota, and nil means that a
        /// quota is unknown or unlimited.
        package var load: Double?

        init(_ view: StatusView) {
            interval = view.interval.wholeMilliseconds
            nextAt = view.nextAt?.milliseconds
            due = view.due
            inFlight = view.inFlight
            load = view.load
        }
    }

    /// The state of the database.
    package struct Store: Codable, Hashable, Sendable {
        package var path: String
        package var bytes: Int64
        package var changes: Int64
        package var lastSeq: Int64
        /// "ok", or "failing" while the database accepts no changes.
        package var state: String
        /// The reason why the last commit failed; nil unless commits are failing.
        package var message: String?

        /// - Parameter failure: the reason why the last commit failed; nil unless commits are failing.
        package init(path: String, bytes: Int64, changes: Int64, lastSeq: Int64, failure: String?) {
            state = failure == nil ? "ok" : "failing"
            message = failure
            self.path = path
            self.bytes = bytes
            self.changes = changes
            self.lastSeq = lastSeq
        }
    }
}
