import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl refresh`.
struct Refresh: Command, TakesAddresses {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Refresh stale and failed records now.",
        discussion: """
            Without addresses, the command applies to the whole watch list. The daemon retries at once instead of at \
            the next scheduled attempt, but respects the provider's quota. A fresh record is not refreshed: the daemon \
            never makes two calls for an address within one interval. The command does not wait for the results; \
            ipctl wait fresh does.

            Exit status: 75 if a refresh cannot be made now: there is no route, both endpoints of the provider are \
            failing or have no call left, or the database cannot be written. The daemon refreshes the records as soon \
            as it can.

            Examples:
              ipctl refresh
              ipctl refresh 9.9.9.9 && ipctl wait fresh 9.9.9.9 --timeout 30s
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "IPv4 or IPv6 addresses on the watch list (default: all).", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(help: AddressArguments.fileHelp, completion: .file())
    var file: [String] = []

    @OptionGroup var preview: PreviewOption

    static let repeatableOptions: Set<String> = ["--file"]

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        // A file without addresses is an error and never means the whole list.
        let isAll = addresses.isEmpty && file.isEmpty
        let chosen = isAll ? nil : try AddressList(arguments: addresses, files: file).uniqueAddresses
        guard !preview.dryRun else {
            try Self.preview(of: chosen, on: connection).print(to: output)
            return .done
        }
        let batches: [[String]?] = chosen?.parts(of: Limits.addressesPerRequest) ?? [nil]
        var (scheduled, fresh) = (0, 0)
        for part in batches {
            let reply = try connection.call("Refresh", Control.Refresh.Parameters(addresses: part))
            let counts = try reply.decoded(Control.Refresh.Reply.self)
            scheduled = scheduled.clampedAdding(counts.scheduled)
            fresh = fresh.clampedAdding(counts.fresh)
            if output.isJSON { output.print(reply.parameters) }
        }
        // A scheduled refresh still needs a route, a writable database, remaining quota and a working provider.
        let status = try connection.call("Status", Control.Status.Parameters()).decoded(Control.Status.Reply.self)
        let counts = Control.Refresh.Reply(scheduled: scheduled, fresh: fresh)
        var outcome = RefreshOutcome(counts: counts, status: status, now: Times.now)
        if !output.isJSON {
            if outcome.isDelayedByProvider { outcome.nextAttempt = try Self.nextAttempt(on: connection) }
            output.print(outcome.sentence.printable)
        }
        return outcome.isDelayed ? .tryLater : .done
    }

    /// - Parameter chosen: the addresses to refresh; nil for all.
    private static func preview(
        of chosen: [String]?, on connection: DaemonConnection
    ) throws(CommandError) -> Preview {
        var filter = Interface.Filter()
        filter.states = [EntryState.loading, .stale, .failed].map(\.rawValue)
        let addresses: [String]
        if let chosen {
            let entries = try WatchedEntries(among: chosen, on: connection).all(of: chosen)
            addresses = entries.filter { filter.states?.contains($0.state) == true }.map(\.address)
        } else {
            addresses = try WatchedEntries.addresses(matching: filter, on: connection)
        }
        return Preview(
            addresses: addresses, summary: "\(Times.count(addresses.count, "record")) would be refreshed")
    }

    /// Returns the time of the next attempt, which a failing provider may have postponed with `Retry-After`; nil if
    /// none is known.
    private static func nextAttempt(on connection: DaemonConnection) throws(CommandError) -> Int64? {
        for state in [EntryState.stale, .failed] {
            let parameters = Control.List.Parameters(state: state.rawValue, limit: sample)
            let reply = try connection.call("List", parameters).decoded(Control.List.Reply.self)
            if let next = reply.entries.compactMap(\.failure?.nextAttemptAt).min() { return next }
        }
        return nil
    }

    /// The number of entries whose next attempts are compared. Nearly all of them wait for the same provider.
    private static let sample: Int64 = 10
}
