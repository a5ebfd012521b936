package import RecordKeeping

extension Metrics.Reply {
    /// - Parameters:
    ///   - view: the figures of the core.
    ///   - clients: the number of connected clients.
    ///   - process: nil if proc(5) cannot be read.
    ///   - databases: the state of the local databases.
    package init(
        _ view: MetricsView, version: String, store: Interface.Store, clients: Int, process: Interface.Process?,
        databases: [Interface.Database] = []
    ) {
        let (status, counters) = (view.status, view.counters)
        self.init(
            metrics: [
                .gauge("iprecord_build_info", "The version of the daemon, as a label. The value is 1.") {
                    [.init(1, labels: ["version": version])]
                },
                .up(1),
            ] + Self.entries(view) + Self.calls(view) + Self.quotas(status) + [
                .gauge("iprecord_network_online", "1 if there is a route to the provider, otherwise 0.") {
                    [.init(status.isOnline ? 1 : 0)]
                },
                .gauge(
                    "iprecord_provider_healthy", "1 if calls to the endpoint succeed, 0 if they fail or are refused."
                ) {
                    status.provider.endpoints.map { endpoint in
                        let isHealthy = endpoint.state == .ok || endpoint.state == .idle
                        return .init(isHealthy ? 1 : 0, labels: ["endpoint": endpoint.endpoint.rawValue])
                    }
                },
                .counter("iprecord_outages_total", "Outages since the daemon started.") {
                    Self.byCause(view) { Double($0.count) }
                },
                .counter("iprecord_outage_seconds_total", "Duration of outages since the daemon started.") {
                    Self.byCause(view) { $0.duration.inSeconds }
                },
                .histogram(
                    "iprecord_store_commit_seconds", "Time from the start of a commit to its end, successful or not.",
                    counters.commits),
                .gauge("iprecord_store_bytes", "Size of the database and its log.") { [.init(Double(store.bytes))] },
                .gauge("iprecord_store_healthy", "1 if the last commit succeeded, otherwise 0.") {
                    [.init(status.storeFailure == nil ? 1 : 0)]
                },
            ] + Self.databases(databases) + [
                .gauge("iprecord_clients", "Connected clients.") { [.init(Double(clients))] },
                .gauge("process_start_time_seconds", "Unix time at which the daemon started.") {
                    [.init(Double(status.startedAt.milliseconds) / 1_000)]
                },
            ] + (process.map(Self.process) ?? []))
    }

    private static func entries(_ view: MetricsView) -> [Interface.Metric] {
        [
            .gauge("iprecord_watched_addresses", "Watched addresses by the state of their entry.") {
                EntryState.allCases.map {
                    .init(Double(view.watched[$0] ?? 0), labels: ["state": $0.rawValue])
                }
            },
            .gauge("iprecord_cached_addresses", "Addresses that were looked up and are not watched.") {
                [.init(Double(view.status.counts.cached))]
            },
            .counter(
                "iprecord_records_refreshed_total", "Records fetched, whether or not they had changed."
            ) {
                [.init(Double(view.counters.refreshed))]
            },
            .counter("iprecord_changes_total", "Records that had changed when they were fetched again.") {
                [.init(Double(view.counters.changed))]
            },
            .gauge("iprecord_watched_names", "Watched host names.") { [.init(Double(view.status.names.watched))] },
            .gauge("iprecord_failing_names", "Watched host names that cannot be resolved.") {
                [.init(Double(view.status.names.failing))]
            },
            .histogram(
                "iprecord_refresh_lateness_seconds",
                "Time from the expiry of a watched record to the first call for the next.",
                view.counters.lateness),
            .gauge("iprecord_oldest_record_age_seconds", "Age of the oldest record of any address, watched or not.") {
                view.oldestRecordAge.map { [.init($0.inSeconds)] } ?? []
            },
        ]
    }

    private static func calls(_ view: MetricsView) -> [Interface.Metric] {
        let outcomes = [Counters.Outcome.ok] + Failure.Kind.ofCalls.map { .failed($0) }
        return [
            .counter("iprecord_provider_requests_total", "Calls to the provider that have ended, by their outcome.") {
                Call.Endpoint.allCases.flatMap { endpoint in
                    outcomes.map { outcome in
                        let count = view.counters.calls[.init(endpoint, outcome)] ?? 0
                        return .init(
                            Double(count), labels: ["endpoint": endpoint.rawValue, "outcome": outcome.name])
                    }
                }
            }
        ]
    }

    private static func quotas(_ status: StatusView) -> [Interface.Metric] {
        func samples(_ value: (StatusView.Quota) -> Double?) -> [Interface.Sample] {
            status.provider.quotas.compactMap { quota in
                value(quota).map { .init($0, labels: ["endpoint": quota.endpoint.rawValue]) }
            }
        }
        return [
            .gauge("iprecord_quota_limit", "Calls that the provider allows per window.") {
                samples { $0.limit.map { Double($0) } }
            },
            .gauge("iprecord_quota_remaining", "Calls left in the open window.") {
                samples { $0.remaining.map { Double($0) } }
            },
            .gauge("iprecord_quota_reset_timestamp_seconds", "Unix time at which the open window ends at the latest.") {
                samples { $0.resetsAt.map { Double($0.milliseconds) / 1_000 } }
            },
            .gauge("iprecord_load_ratio", "Calls that the watch list needs, divided by the provider's quota.") {
                status.load.map { [.init($0)] } ?? []
            },
            .gauge("iprecord_due_addresses", "Addresses that wait for a call.") { [.init(Double(status.due))] },
            .gauge("iprecord_called_addresses", "Addresses in calls that have not been answered.") {
                [.init(Double(status.inFlight))]
            },
        ]
    }

    private static func databases(_ databases: [Interface.Database]) -> [Interface.Metric] {
        [
            .gauge("iprecord_database_healthy", "1 if the present file of the local database is in use, otherwise 0.") {
                databases.map { .init($0.state == "ok" ? 1 : 0, labels: ["path": $0.path]) }
            },
            .gauge(
                "iprecord_database_build_timestamp_seconds",
                "Unix time at which the version of the local database that is in use was built."
            ) {
                databases.compactMap { database in
                    database.builtAt.map { .init(Double($0) / 1_000, labels: ["path": database.path]) }
                }
            },
        ]
    }

    private static func byCause(
        _ view: MetricsView, _ value: (Counters.Outages) -> Double
    ) -> [Interface.Sample] {
        Outage.Cause.allCases.map { cause in
            .init(view.outages[cause].map(value) ?? 0, labels: ["cause": cause.rawValue])
        }
    }

    /// The metrics that Prometheus' own client libraries define
    /// (prometheus.io/docs/instrumenting/writing_clientlibs, "Process metrics").
    private static func process(_ process: Interface.Process) -> [Interface.Metric] {
        [
            .counter("process_cpu_seconds_total", "User and system CPU time of the daemon.") {
                [.init(process.cpuSeconds)]
            },
            .gauge("process_open_fds", "Open file descriptors.") { [.init(process.openDescriptors)] },
            .gauge("process_max_fds", "Maximum number of open file descriptors.") { [.init(process.maxDescriptors)] },
            .gauge("process_virtual_memory_bytes", "Virtual memory.") { [.init(process.virtualBytes)] },
            .gauge("process_resident_memory_bytes", "Resident memory.") { [.init(process.residentBytes)] },
        ]
    }
}

extension Interface.Metric {
    /// The only metric of a daemon that does not reply.
    package static var isDown: Self { .up(0) }

    fileprivate static func up(_ value: Double) -> Self {
        .gauge("iprecord_up", "1 if the daemon replies, otherwise 0.") { [.init(value)] }
    }

    fileprivate static func gauge(_ name: String, _ help: String, _ samples: () -> [Interface.Sample]) -> Self {
        Self(name: name, kind: .gauge, help: help, samples: samples())
    }

    fileprivate static func counter(_ name: String, _ help: String, _ samples: () -> [Interface.Sample]) -> Self {
        Self(name: name, kind: .counter, help: help, samples: samples())
    }

    /// The counts of the buckets are cumulative, as Prometheus expects.
    fileprivate static func histogram(_ name: String, _ help: String, _ histogram: Histogram) -> Self {
        var count: UInt64 = 0
        var samples: [Interface.Sample] = []
        for (index, own) in histogram.counts.enumerated() {
            count += own
            let bound = index < histogram.bounds.count ? "\(histogram.bounds[index])" : "+Inf"
            samples.append(.init(Double(count), part: "bucket", labels: ["le": bound]))
        }
        samples += [.init(histogram.sum, part: "sum"), .init(Double(count), part: "count")]
        return Self(name: name, kind: .histogram, help: help, samples: samples)
    }
}

extension Failure.Kind {
    /// The possible results of a call.
    fileprivate static let ofCalls: [Failure.Kind] = [
        .offline, .unreachable, .timeout, .throttled, .unauthorized, .rejected, .malformed,
    ]
}

extension Counters.Outcome {
    /// The value of the label `outcome`.
    fileprivate var name: String {
        switch self {
        case .ok: "ok"
        case .failed(let kind): kind.rawValue
        }
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}
