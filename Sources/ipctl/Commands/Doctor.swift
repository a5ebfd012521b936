import ArgumentParser
import Control

/// `ipctl doctor`
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look for what is wrong, and say what to do about it.",
        discussion: """
            Looks at the socket, the daemon, its store, the clock, the network, the provider and its quota, the records, \
            the watch lists and the configuration. What needs no daemon is looked at without one, too. Nothing is changed, \
            and the provider is not asked.

            A line each: ✓ is well, ! works for now or for some, ✗ does not work; below it what to do.

            Exit status: 0 nothing is wrong; 1 something is; 69 no daemon answers.

            Examples:
              ipctl doctor
              sudo ipctl doctor                       sees what only root may look at
              ipctl --json doctor | jq 'select(.state != "ok")'
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    func run() throws {
        let output = Output(isJSON: options.json || parent.options.json)
        let socket = SocketPath(option: options.socket ?? parent.options.socket)
        do throws(Complaint) {
            let status = try examine(Patient(socket: socket.path), output)
            guard status == .done else { throw Complaint(status: status, message: "") }
        } catch {
            Output.complain(error)
            throw error.status.code
        }
    }

    /// Each check is told as soon as it is made: a name that cannot be looked up takes its time.
    private func examine(_ patient: Patient, _ output: Output) throws(Complaint) -> ExitStatus {
        var isWell = true
        func tell(_ check: some Check) throws(Complaint) {
            for finding in check.findings() {
                if output.isJSON {
                    output.print(finding.document)
                } else {
                    output.print(finding.lines(on: output.terminal))
                }
                isWell = isWell && finding.state == .ok
            }
            try output.flush()
        }
        let now = Times.now
        try tell(SocketCheck(patient: patient, others: Patient.otherSockets(than: patient.socket)))
        let consultation = Consultation(at: patient.socket)
        let answer = consultation.answer
        let status = answer?.status
        let configuration = patient.configurationFile.flatMap { ConfigurationFile(path: $0) }
        try tell(DaemonCheck(patient: patient, consultation: consultation, version: Ipctl.version, now: now))
        if let store = status?.store.path ?? configuration?["store", "path"] ?? patient.storePath {
            try tell(
                StoreCheck(patient: patient, path: store, isOpen: status != nil, refusal: answer?.refusalOfStore))
        }
        try tell(ClockCheck(now: now, deeds: status.map(Self.deeds) ?? []))

        // Where not even the daemon's files are known, no provider is presumed.
        let isUsual = configuration != nil || patient.hasNoConfiguration
        let configured = configuration?["provider", "endpoint"] ?? (isUsual ? Endpoint.usual : nil)
        if let endpoint = status?.provider.endpoint ?? configured {
            try tell(EndpointCheck(endpoint: endpoint, patient: patient))
            let parts = Endpoint(endpoint)
            let lookUp = parts.map { parts in parts.address.map { .found([$0]) } ?? NameLookup(of: parts.host) }
            if let parts, let lookUp { try tell(NameCheck(endpoint: parts, lookUp: lookUp)) }
            try tell(
                NetworkCheck(
                    witness: status.map { .daemon($0.network) } ?? .kernel, addresses: lookUp?.addresses ?? [], now: now
                ))
        }
        if let status {
            try tell(ProviderCheck(provider: status.provider, patient: patient, now: now))
            try tell(QuotaCheck(refresh: status.refresh, watched: status.entries.watched, patient: patient))
            try tell(RecordsCheck(status: status))
        }

        let reader = answer.map(\.process) ?? (patient.isService ? DaemonProcess(userNamed: "iprecord") : .own)
        if let configuration {
            try tell(KeyCheck(path: configuration["provider", "key-file"], reader: reader, patient: patient))
        }
        try tell(
            ListsCheck(directory: configuration?["watch", "directory"] ?? patient.watchDirectory, reader: reader))
        try tell(
            ConfigurationCheck(
                patient: patient, program: ConfigurationCheck.installedProgram,
                running: status.map { ($0.provider.endpoint, $0.store.path) }))
        return consultation.isWithoutDaemon ? .noDaemon : isWell ? .done : .notAsAsked
    }

    /// What the daemon noted with the clock as it was.
    private static func deeds(in status: Control.Status.Reply) -> [(what: String, at: Int64)] {
        var deeds = [("the daemon started", status.startedAt), ("the network became what it is", status.network.since)]
        deeds.append(("the provider became what it is", status.provider.since))
        if let call = status.provider.lastCallAt { deeds.append(("the last call was made", call)) }
        return deeds
    }
}
