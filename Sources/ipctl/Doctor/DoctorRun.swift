import Control
import Files
import RecordKeeping

/// All checks of `ipctl doctor`, one after the other.
struct DoctorRun {
    private var target: DoctorTarget
    private let output: Output
    private var isHealthy = true

    init(target: DoctorTarget, output: Output) {
        self.target = target
        self.output = output
    }

    /// Runs the checks, and prints each finding at once, because the DNS lookup may take a long time.
    mutating func run() throws(CommandError) -> ExitStatus {
        let now = Times.now
        let probe = DaemonProbe(at: target.socket)
        let answer = probe.answer
        // Errors that prevent the daemon from starting are the cause of all later findings.
        let causes = answer == nil ? configurationFindings(nil, now: now).filter { $0.state == .bad } : []
        target.cannotStart = !causes.isEmpty
        try report(causes)
        try report(SocketCheck(target: target, others: DoctorTarget.otherSockets(than: target.socket)))
        if let running = answer?.running { target.apply(running) }
        let (configuration, reason) = readConfiguration()
        try report(
            DaemonCheck(
                target: target, probe: probe, version: Ipctl.version, now: now,
                lastError: answer == nil && target.isService ? ServiceJournal.lastError : nil))
        try checkStore(answer, configuration, reason)
        try report(ClockCheck(now: now, recordedTimes: answer.map { Self.recordedTimes(in: $0.status) } ?? []))
        try checkRoute(answer?.status, configuration, reason, now: now)
        try checkProvider(answer?.status, now: now)
        let reader = answer.map(\.process) ?? (target.isService ? ProcessCredentials(userNamed: "iprecord") : .own)
        try checkFiles(configuration, reason, reader: reader)
        if causes.isEmpty { try report(configurationFindings(answer, now: now)) }
        return probe.isDaemonMissing ? .noDaemon : isHealthy ? .done : .negative
    }

    // MARK: Checks

    private func configurationFindings(_ answer: DaemonProbe.Answer?, now: Int64) -> [Finding] {
        ConfigurationCheck(
            target: target, program: ConfigurationCheck.installedProgram,
            running: answer.map { answer in
                let status = answer.status
                return ConfigurationCheck.Running(
                    endpoint: status.provider.endpoint, store: status.store.path,
                    intervalMilliseconds: status.refresh.interval,
                    socket: answer.running == nil ? nil : target.socket, startedAt: status.startedAt)
            }, now: now
        ).findings()
    }

    private mutating func checkStore(
        _ answer: DaemonProbe.Answer?, _ configuration: ConfigurationFile?, _ reason: String
    ) throws(CommandError) {
        let configured = configuration.flatMap { $0["store", "path"] ?? target.storePath }
        guard let path = answer?.status.store.path ?? configured else {
            return try report([.skipped(StoreCheck.name, reason)])
        }
        try report(StoreCheck(target: target, path: path, isOpen: answer != nil, storeError: answer?.storeError))
    }

    /// Checks the route to the provider: the endpoint, the lookup of its name, and the kernel's route.
    private mutating func checkRoute(
        _ status: Control.Status.Reply?, _ configuration: ConfigurationFile?, _ reason: String, now: Int64
    ) throws(CommandError) {
        let configured = configuration.map { $0["provider", "endpoint"] ?? "http://\(BaseURL.freeHost)" }
        guard let endpoint = status?.provider.endpoint ?? configured else {
            return try report([EndpointCheck.name, NameCheck.name, NetworkCheck.name].map { .skipped($0, reason) })
        }
        try report(EndpointCheck(endpoint: endpoint, target: target))
        // The check above reports the error.
        let parts = try? BaseURL(endpoint)
        let lookup = parts.map { parts in parts.address.map { .found([$0]) } ?? NameLookup(of: parts.host) }
        if let parts, let lookup { try report(NameCheck(endpoint: parts, lookup: lookup)) }
        try report(
            NetworkCheck(
                source: status.map { .daemon($0.network) } ?? .kernel, addresses: lookup?.addresses ?? [], now: now))
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
                hasAnswered: provider.state == "ok"))
        try report(RecordsCheck(status: status))
    }

    private mutating func checkFiles(
        _ configuration: ConfigurationFile?, _ reason: String, reader: ProcessCredentials?
    ) throws(CommandError) {
        if let configuration {
            try report(KeyCheck(path: configuration["provider", "key-file"], reader: reader, target: target))
        } else {
            try report([.skipped(KeyCheck.name, reason)])
        }
        // A configuration that cannot be read may name a directory other than the default.
        let directory = configuration.flatMap { $0["watch", "directory"] ?? target.watchDirectory }
        try report(ListsCheck(directory: directory, unknownReason: reason, reader: reader))
    }

    /// - Returns: the configuration, which is empty if there is no file; or nil with the reason.
    private func readConfiguration() -> (ConfigurationFile?, reason: String) {
        guard let path = target.configurationFile else {
            return (nil, "not checked: cannot tell which configuration the daemon reads")
        }
        do throws(WholeFile.Unreadable) {
            let configuration = try ConfigurationFile(path: path)
            guard configuration.isUTF8 else {
                return (nil, "not checked: \(path) is not valid UTF-8")
            }
            return (configuration, "")
        } catch {
            guard !target.hasNoConfiguration else { return (ConfigurationFile(text: ""), "") }
            return (nil, "not checked: you cannot read \(path)")
        }
    }

    /// Returns the times in the daemon's status, each with a description.
    static func recordedTimes(in status: Control.Status.Reply) -> [(event: String, at: Int64)] {
        var recordedTimes = [("it started", status.startedAt), ("the network's state changed", status.network.since)]
        recordedTimes.append(("the provider's state changed", status.provider.since))
        if let call = status.provider.lastCallAt { recordedTimes.append(("it made the last call", call)) }
        return recordedTimes
    }

    // MARK: Output

    private mutating func report(_ check: some Check) throws(CommandError) {
        try report(check.findings())
    }

    private mutating func report(_ findings: [Finding]) throws(CommandError) {
        for finding in findings {
            if output.isJSON {
                output.print(finding.document)
            } else {
                output.print(finding.lines(on: output.terminal))
            }
            isHealthy = isHealthy && [.ok, .skipped].contains(finding.state)
        }
        try output.flush()
    }
}
