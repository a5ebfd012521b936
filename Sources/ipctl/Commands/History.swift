import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl history`.
struct History: Command {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show the changes in an address's record, newest first.",
        discussion: """
            Each line shows a fact with its old and its new value. The last lines show when the address was added to \
            the watch list and removed from it, and by whom if a client did it. History is kept for the time in the \
            configuration (keep-history, 90 days by default). The changes are deleted when the address is removed.

            Exit status: 1 if there are no changes, or if the address is not on the watch list.

            Examples:
              ipctl history 1.1.1.1
              ipctl history 1.1.1.1 --limit 1           the last change
              ipctl list --changed-since 24h            addresses that changed within a day
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "An IPv4 or IPv6 address on the watch list.", completion: .watchedAddresses)
    var address: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show at most this many changes (default: \(Control.History.defaultLimit)).", valueName: "number"),
        transform: { try WholeNumber.option($0, in: 1...Int64(Limits.changesPerPage)) })
    var limit: Int64?

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        output.isPaged = true
        let parameters = Control.History.Parameters(
            address: address, limit: limit ?? Int64(Control.History.defaultLimit))
        let reply: ClientConversation.IncomingReply
        do throws(CommandError) {
            reply = try connection.call("History", parameters)
        } catch {
            if case .notWatched? = error.controlError, !output.isJSON {
                printRemovals(atMost: parameters.limit ?? .max, on: connection, output)
            }
            throw error
        }
        let changes = try reply.decoded(Control.History.Reply.self).changes
        guard !output.isJSON else {
            output.print(reply.parameters)
            return changes.isEmpty ? .negative : .done
        }
        for change in changes { output.print(ChangeLines(change: change).lines(on: output.terminal)) }
        let rest = (parameters.limit ?? .max).clampedSubtracting(Int64(changes.count))
        if rest > 0 { try printWatchListChanges(atMost: rest, on: connection, output) }
        guard !changes.isEmpty else {
            throw CommandError(status: .negative, message: "no changes recorded for \(address.printable)")
        }
        return .done
    }

    /// Prints when and by whom an address that is not watched was removed. If the events cannot be read, a note says
    /// so, because the daemon's reply about the address is still the result.
    private func printRemovals(atMost limit: Int64, on connection: DaemonConnection, _ output: Output) {
        do throws(CommandError) {
            try printWatchListChanges(atMost: limit, on: connection, output)
        } catch {
            Output.printMessage("the additions and removals of \(address.printable) cannot be read: \(error.message)")
        }
    }

    /// Prints when and by whom the address was added to the watch list and removed from it, newest first. All of these
    /// events are older than the changes, which are deleted when the address is removed.
    ///
    /// - Parameter limit: the maximum number of events.
    private func printWatchListChanges(
        atMost limit: Int64, on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) {
        // The daemon has accepted the address as valid.
        guard let canonical = try? IPAddress(address).description else { return }
        let status = try connection.call("Status", Control.Status.Parameters()).decoded(Control.Status.Reply.self)
        let events = EventHistory(connection: connection, last: status.store.lastSeq)
        let changes = try events.watchListChanges(of: canonical).suffix(Int(clamping: limit))
        output.print(changes.reversed().map { EventLine(event: $0, now: Times.now).datedLine(on: output.terminal) })
    }
}
