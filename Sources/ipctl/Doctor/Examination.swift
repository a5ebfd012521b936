import Control

/// All checks of `ipctl doctor`, one after the other.
struct Examination {
    private var patient: Patient
    private let output: Output
    private var isWell = true

    init(patient: Patient, output: Output) {
        self.patient = patient
        self.output = output
    }

    /// Each check is told as soon as it is made: a name that cannot be looked up takes its time.
    mutating func run() throws(Complaint) -> ExitStatus {
        let now = Times.now
        try tell(SocketCheck(patient: patient, others: Patient.otherSockets(than: patient.socket)))
        let consultation = Consultation(at: patient.socket)
        let answer = consultation.answer
        if let running = answer?.running { patient.learn(running) }
        let (configuration, reason) = readConfiguration()
        try tell(DaemonCheck(patient: patient, consultation: consultation, version: Ipctl.version, now: now))
        try examineStore(answer, configuration, reason)
        try tell(ClockCheck(now: now, deeds: answer.map { Self.deeds(in: $0.status) } ?? []))
        try examineWay(answer?.status, configuration, reason, now: now)
        try examineProvider(answer?.status, now: now)
        let reader = answer.map(\.process) ?? (patient.isService ? DaemonProcess(userNamed: "iprecord") : .own)
        try examineFiles(configuration, reason, reader: reader)
        try tell(
            ConfigurationCheck(
                patient: patient, program: ConfigurationCheck.installedProgram,
                running: answer.map { answer in
                    let status = answer.status
                    return ConfigurationCheck.Running(
                        endpoint: status.provider.endpoint, store: status.store.path,
                        intervalMilliseconds: status.refresh.interval,
                        socket: answer.running == nil ? nil : patient.socket, startedAt: status.startedAt)
                }, now: now))
        return consultation.isWithoutDaemon ? .noDaemon : isWell ? .done : .notAsAsked
    }

    // MARK: What is looked at

    private mutating func examineStore(
        _ answer: Consultation.Answer?, _ configuration: ConfigurationFile?, _ reason: String
    ) throws(Complaint) {
        let configured = configuration.flatMap { $0["store", "path"] ?? patient.storePath }
        guard let path = answer?.status.store.path ?? configured else {
            return try tell([.skipped(StoreCheck.name, reason)])
        }
        try tell(StoreCheck(patient: patient, path: path, isOpen: answer != nil, refusal: answer?.refusalOfStore))
    }

    /// The way to the provider: what it is called, what that stands for, and whether the kernel knows how to get there.
    private mutating func examineWay(
        _ status: Control.Status.Reply?, _ configuration: ConfigurationFile?, _ reason: String, now: Int64
    ) throws(Complaint) {
        let configured = configuration.map { $0["provider", "endpoint"] ?? Endpoint.usual }
        guard let endpoint = status?.provider.endpoint ?? configured else {
            return try tell([EndpointCheck.name, NameCheck.name, NetworkCheck.name].map { .skipped($0, reason) })
        }
        try tell(EndpointCheck(endpoint: endpoint, patient: patient))
        let parts = Endpoint(endpoint)
        let lookUp = parts.map { parts in parts.address.map { .found([$0]) } ?? NameLookup(of: parts.host) }
        if let parts, let lookUp { try tell(NameCheck(endpoint: parts, lookUp: lookUp)) }
        try tell(
            NetworkCheck(
                witness: status.map { .daemon($0.network) } ?? .kernel, addresses: lookUp?.addresses ?? [], now: now))
    }

    private mutating func examineProvider(_ status: Control.Status.Reply?, now: Int64) throws(Complaint) {
        guard let status else {
            let reason = "not known: only the daemon could tell"
            return try tell([ProviderCheck.name, QuotaCheck.name, RecordsCheck.name].map { .skipped($0, reason) })
        }
        let provider = status.provider
        try tell(
            ProviderCheck(
                provider: provider, patient: patient, now: now, hasWay: status.network.state == "online"))
        try tell(
            QuotaCheck(
                refresh: status.refresh, watched: status.entries.watched, patient: patient,
                hasAnswered: provider.state == "ok"))
        try tell(RecordsCheck(status: status))
    }

    private mutating func examineFiles(
        _ configuration: ConfigurationFile?, _ reason: String, reader: DaemonProcess?
    ) throws(Complaint) {
        if let configuration {
            try tell(KeyCheck(path: configuration["provider", "key-file"], reader: reader, patient: patient))
        } else {
            try tell([.skipped(KeyCheck.name, reason)])
        }
        // Where the configuration is closed to us, it may name another folder than the usual one.
        let directory = configuration.flatMap { $0["watch", "directory"] ?? patient.watchDirectory }
        try tell(ListsCheck(directory: directory, reasonForNone: reason, reader: reader))
    }

    /// - Returns: the configuration, which is empty where there is no file; or nil, and why it is not known.
    private func readConfiguration() -> (ConfigurationFile?, reason: String) {
        guard let path = patient.configurationFile else {
            return (nil, "not looked at: nothing tells which configuration the daemon reads")
        }
        do throws(WholeFile.Unreadable) {
            let configuration = try ConfigurationFile(path: path)
            guard configuration.isText else {
                return (nil, "not looked at: \(path), which tells where, is no UTF-8 text")
            }
            return (configuration, "")
        } catch {
            guard !patient.hasNoConfiguration else { return (ConfigurationFile(text: ""), "") }
            return (nil, "not looked at: \(path), which tells where, cannot be read by you")
        }
    }

    /// What the daemon noted with the clock as it was.
    private static func deeds(in status: Control.Status.Reply) -> [(what: String, at: Int64)] {
        var deeds = [("the daemon started", status.startedAt), ("the network became what it is", status.network.since)]
        deeds.append(("the provider became what it is", status.provider.since))
        if let call = status.provider.lastCallAt { deeds.append(("the last call was made", call)) }
        return deeds
    }

    // MARK: Telling

    private mutating func tell(_ check: some Check) throws(Complaint) {
        try tell(check.findings())
    }

    private mutating func tell(_ findings: [Finding]) throws(Complaint) {
        for finding in findings {
            if output.isJSON {
                output.print(finding.document)
            } else {
                output.print(finding.lines(on: output.terminal))
            }
            isWell = isWell && [.ok, .skipped].contains(finding.state)
        }
        try output.flush()
    }
}
