import RecordKeeping

extension Interface {
    /// What the kernel's routes say of the way to the provider.
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

    package struct Quota: Codable, Hashable, Sendable {
        package var name: String
        package var limit: Int?
        package var remaining: Int?
        package var resetsAt: Int64?
    }

    package struct Provider: Codable, Hashable, Sendable {
        package var name: String
        package var endpoint: String
        package var state: String
        package var since: Int64
        package var message: String?
        package var calls: Int
        package var failures: Int
        package var lastCallAt: Int64?
        package var quotas: [Quota]

        init(_ view: StatusView.Provider, endpoint: String) {
            name = view.name
            self.endpoint = endpoint
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
        }
    }

    /// How many entries there are, by state, watched and cached together.
    package struct Counts: Codable, Hashable, Sendable {
        package var watched: Int
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

    package struct Schedule: Codable, Hashable, Sendable {
        /// Milliseconds.
        package var interval: Int64
        package var nextAt: Int64?
        package var due: Int
        package var inFlight: Int
        package var load: Double?

        init(_ view: StatusView) {
            interval = view.interval.wholeMilliseconds
            nextAt = view.nextAt?.milliseconds
            due = view.due
            inFlight = view.inFlight
            load = view.load
        }
    }

    package struct Store: Codable, Hashable, Sendable {
        package var path: String
        package var bytes: Int64
        package var changes: Int64
        package var lastSeq: Int64

        package init(path: String, bytes: Int64, changes: Int64, lastSeq: Int64) {
            self.path = path
            self.bytes = bytes
            self.changes = changes
            self.lastSeq = lastSeq
        }
    }
}
