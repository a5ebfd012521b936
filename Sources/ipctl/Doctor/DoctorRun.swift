import Control
import RecordKeeping

/// All checks of `ipctl doctor`, one after the other.
struct DoctorRun {
    private(set) var target: DoctorTarget
    let output: Output
    private(set) var isHealthy = true

    /// Runs the checks, and prints each finding at once, because the DNS lookup may take a long time.
    mutating func run() throws(CommandError) -> ExitStatus {
        let now = Times.now
        let probe = DaemonProbe(at: target.socket)
        let answer = probe.answer
        var configuration = CheckedConfiguration.read(target.source)
        target.reportedFile = configuration.report?.configuration
        // Errors that prevent the daemon from starting are the cause of all later findings.
        let causes =
            answer == nil ? configurationFindings(configuration, nil, now: now).filter { $0.state == .bad } : []
        target.cannotStart = !causes.isEmpty
        try report(causes)
        let others = DoctorTarget.otherSockets(
            than: target.socket, configured: CheckedConfiguration.socketOfService)
        let unitMode = target.isService ? ServiceUnit.socketMode : nil
        try report(SocketCheck(target: target, others: others, unitMode: unitMode))
        if let running = answer?.running {
            let source = target.source
            target.apply(running)
            if target.source != source { configuration = CheckedConfiguration.read(target.source) }
            target.reportedFile = configuration.report?.configuration
        }
        try report(
            DaemonCheck(
                target: target, probe: probe, version: Ipctl.version, now: now,
                lastError: answer == nil && target.isService ? ServiceJournal.lastError : nil,
                exitStatus: answer == nil && target.isService ? ServiceUnit.exitStatus : nil, unitMode: unitMode))
        try checkStore(answer, configuration)
        let lastEvent = answer?.lastEventAt.map { [("the last event happened", $0)] } ?? []
        try report(
            ClockCheck(now: now, recordedTimes: (answer.map { Self.recordedTimes(in: $0.status) } ?? []) + lastEvent))
        try checkRoute(answer?.status, configuration, now: now)
        try checkProvider(answer?.status, now: now)
        let reader = answer.map(\.process) ?? (target.isService ? ProcessCredentials(userNamed: "iprecord") : .own)
        try checkFiles(configuration, answer?.status, reader: reader)
        let databases = answer.map { $0.status.databases ?? [] } ?? configuration.report?.databases ?? []
        try report(DatabasesCheck(databases: databases, now: now))
        if causes.isEmpty { try report(configurationFindings(configuration, answer, now: now)) }
        return probe.isDaemonMissing ? .noDaemon : isHealthy ? .done : .negative
    }

    // MARK: Checks

    private func configurationFindings(
        _ configuration: CheckedConfiguration, _ answer: DaemonProbe.Answer?, now: Int64
    ) -> [Finding] {
        ConfigurationCheck(
            target: target, configuration: configuration, status: answer?.status,
            listeningSocket: answer?.running == nil ? nil : target.socket, now: now
        ).findings()
    }

    private mutating func checkStore(
        _ answer: DaemonProbe.Answer?, _ configuration: CheckedConfiguration
    ) throws(CommandError) {
        guard let path = answer?.status.store.path ?? configuration.setting(\.store, of: "store.path") else {
            return try report([.skipped(StoreCheck.name, configuration.unknownReason)])
        }
        let store = answer?.status.store
        var check = StoreCheck(target: target, path: path, isOpen: answer != nil, storeError: answer?.storeError)
        if store?.state == "failing" { check.writeError = store?.message ?? "no reason given" }
        try report(check)
    }

    /// Checks the route to the provider: the endpoint, the lookup of its name, and the kernel's route.
    private mutating func checkRoute(
        _ status: Control.Status.Reply?, _ configuration: CheckedConfiguration, now: Int64
    ) throws(CommandError) {
        let configured = configuration.setting(\.endpoint, of: "provider.endpoint")
        guard let endpoint = status?.provider.endpoint ?? configured else {
            let checks = [EndpointCheck.name, NameCheck.name, NetworkCheck.name]
            return try report(checks.map { .skipped($0, configuration.unknownReason) })
        }
        try report(EndpointCheck(endpoint: endpoint, target: target))
        guard endpoint != Settings.localEndpoint else {
            let checks = [NameCheck.name, NetworkCheck.name]
            return try report(checks.map { .skipped($0, "not needed for local databases") })
        }
        let proxy = status.map(\.provider.proxy) ?? configuration.report?.settings?.proxy
        // The daemon resolves and connects to the proxy, if there is one. The check above reports an invalid endpoint.
        let parts = try? BaseURL(proxy.map { "http://\($0)" } ?? endpoint)
        let lookup = parts.map { parts in parts.address.map { .found([$0]) } ?? NameLookup(of: parts.host) }
        if let parts, let lookup { try report(NameCheck(endpoint: parts, lookup: lookup, isProxy: proxy != nil)) }
        try report(
            NetworkCheck(
                source: status.map { .daemon($0.network) } ?? .kernel, addresses: lookup?.addresses ?? [], now: now,
                server: proxy == nil ? "the provider" : "the proxy"))
    }

    private mutating func checkProvider(_ status: Control.Status.Reply?, now: Int64) throws(CommandError) {
        guard let status else {
            let reason = "unknown without a running daemon"
            return try report([ProviderCheck.name, QuotaCheck.name, RecordsCheck.name].map { .skipped($0, reason) })
        }
        let provider = status.provider
        try report(
            ProviderCheck(
                provider: provider, target: target, now: now, isOnline: status.network.state == "online"))
        try report(
            QuotaCheck(
                refresh: status.refresh, watched: status.entries.watched, target: target,
                hasAnswered: provider.state == "ok" || EndpointStates(provider: provider).answering != nil,
                quotas: provider.quotas, isLocal: provider.isLocal))
        try report(RecordsCheck(status: status, now: now))
    }

    private mutating func checkFiles(
        _ configuration: CheckedConfiguration, _ status: Control.Status.Reply?, reader: ProcessCredentials?
    ) throws(CommandError) {
        let settings = configuration.report?.settings
        try report(
            ProxyCheck(
                used: status?.provider.proxy, isRunning: status != nil, settings: settings,
                isConfigured: configuration.report?.keys.contains { $0.hasPrefix("provider.proxy") } ?? false,
                target: target, reader: reader))
        if let path = configuration.setting(\.keyFile, of: "provider.key-file") {
            try report(KeyCheck(path: path.isEmpty ? nil : path, reader: reader, target: target))
        } else {
            try report([.skipped(KeyCheck.name, configuration.unknownReason)])
        }
        try report(
            ListsCheck(
                lists: configuration.report?.lists, unknownReason: configuration.unknownReason, reader: reader))
    }

    /// Returns the times in the daemon's status, each with a description.
    static func recordedTimes(in status: Control.Status.Reply) -> [(event: String, at: Int64)] {
        [
            ("it started", status.startedAt), ("the network's state changed", status.network.since),
            ("the provider's state changed", status.provider.since),
        ] + (status.provider.lastCallAt.map { [("it made the last call", $0)] } ?? [])
    }

    // MARK: Output

    private mutating func report(_ check: some Check) throws(CommandError) {
        try report(check.findings())
    }

    private mutating func report(_ findings: [Finding]) throws(CommandError) {
        for finding in findings {
            output.print(finding.document, or: finding.lines(on: output.terminal))
            isHealthy = isHealthy && [.ok, .skipped].contains(finding.state)
        }
        try output.flush()
    }
}
