import ArgumentParser
import Control

/// The command `ipctl wait`.
struct Wait: Command, TakesAddresses {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait until a condition holds, for scripts.",
        discussion: """
              fresh    each address has a fresh record
              changed  the record of each address has changed since the command started
              online   there is a route to the provider

            The command waits for the daemon's events and does not poll. Addresses must be on the watch list, because \
            other addresses are not refreshed. To miss no change between two runs, use ipctl monitor --cursor-file.

            Exit status: 75 if --timeout expires; 1 if the condition can never hold, because an address is not on the \
            watch list, or the provider has no record of it.

            Examples:
              ipctl wait online --timeout 5m && ipctl refresh
              ipctl add 9.9.9.9 && ipctl wait fresh 9.9.9.9 --timeout 30s
              ipctl wait changed 9.9.9.9 --field country
              ipctl wait changed 9.9.9.9 --timeout 1h || echo "nothing new for an hour"
            """)

    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case fresh, changed, online
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The condition to wait for.")
    var kind: Kind

    @Argument(help: "IPv4 or IPv6 addresses on the watch list; omit them for online.", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(
        help: ArgumentHelp(
            "Wait for a change of this field; can be repeated. Only with `wait changed`.", valueName: "name"),
        completion: .list(FilterOptions.recordFields))
    var field: [String] = []

    static let repeatableOptions: Set<String> = ["--field"]

    @OptionGroup var reconnecting: ReconnectOptions

    func validate() throws {
        try Choice.check("field", field, in: FilterOptions.recordFields)
        guard field.isEmpty || kind == .changed else { throw ValidationError("--field requires changed") }
        switch kind {
        case .online where !addresses.isEmpty:
            throw ValidationError("wait online takes no addresses")
        case .fresh where addresses.isEmpty, .changed where addresses.isEmpty:
            throw ValidationError("give the addresses to wait for: ipctl wait \(kind.rawValue) ADDRESS…")
        default: break
        }
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let deadline = connection.limits.deadline
        let canonical = addresses.isEmpty ? [] : try AddressList(arguments: addresses, files: []).uniqueAddresses
        var condition: any WaitCondition =
            switch kind {
            case .fresh: FreshCondition(addresses: canonical)
            case .changed: ChangedCondition(addresses: canonical, fields: field)
            case .online: OnlineCondition()
            }
        do throws(CommandError) {
            try wait(for: &condition, on: connection, output, until: deadline)
        } catch  where error.isTimeout {
            let span = Times.exactSpan(milliseconds: options.timeout?.milliseconds ?? 0)
            throw CommandError(
                status: .tryLater, message: "timed out after \(span): \(condition.unmetReason)")
        }
        return .done
    }

    /// Waits for the condition, on a new connection after each restart of the daemon.
    private func wait(
        for condition: inout any WaitCondition, on first: DaemonConnection, _ output: Output, until deadline: Deadline?
    ) throws(CommandError) {
        var connection = first
        var reconnector = Reconnector(path: first.path, deadline: deadline)
        var (last, isLost): (Int64?, Bool) = (nil, false)
        while true {
            do throws(CommandError) {
                if isLost {
                    connection = try reconnector.reconnect().connection
                    Output.printMessage("reconnected")
                }
                isLost = false
                // Changes during the restart are kept as events; a query shows everything else.
                let after = condition.needsKeptEvents ? last : nil
                let events = try EventStream(of: condition, on: connection, after: after, until: deadline)
                defer { last = events.lastSeq }
                // A query covers the time before the stream began, and the stream reports later events, so nothing is
                // missed.
                let queries = try connection.duplicate()
                queries.limits = TimeLimits(
                    silence: TimeLimits.usualSilence, deadline: deadline?.withTimeToReply)
                return try condition.wait(for: events, querying: queries, output)
            } catch {
                guard error.status == .noDaemon, !reconnecting.noReconnect, !reconnector.hasGivenUp else { throw error }
                if !isLost { Output.printMessage("\(error.message); reconnecting") }
                isLost = true
            }
        }
    }
}
