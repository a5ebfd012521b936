import Control
import RecordKeeping

/// A condition that `ipctl wait` waits for.
protocol WaitCondition {
    /// The kinds of events that may fulfil the condition.
    var kinds: [PublishedEvent.Kind] { get }
    /// The addresses of the condition; empty if it concerns no address.
    var addresses: [String] { get }
    /// The fields whose changes the condition awaits; empty for all.
    var fields: [String] { get }
    /// Whether events that happened while the daemon was restarted count.
    var needsKeptEvents: Bool { get }
    /// A clause with the reason why the condition does not hold yet.
    var unmetReason: String { get }

    /// Waits until the condition holds, and prints the result.
    ///
    /// - Parameters:
    ///   - events: the subscribed events.
    ///   - queries: a second connection, for queries.
    mutating func wait(for events: EventStream, querying queries: DaemonConnection, _ output: Output)
        throws(CommandError)
}

extension WaitCondition {
    var needsKeptEvents: Bool { false }
    var fields: [String] { [] }

    /// Returns the first address and the number of the others: "192.0.2.1 and 4 more".
    func shown(_ addresses: some Collection<String>) -> String {
        let first = self.addresses.first { addresses.contains($0) } ?? ""
        return addresses.count > 1 ? "\(first) and \(Times.grouped(addresses.count - 1)) more" : first
    }

    /// The error for an address that is not watched, and therefore is not refreshed.
    func notWatched(_ address: String) -> CommandError {
        CommandError(
            status: .negative, message: "\(address.printable) is not on the watch list, so it is not refreshed",
            advice: "Add it with: ipctl add \(address.printable)")
    }

    /// The error for an address for which the provider has no record.
    func withoutRecord(_ entry: Interface.Entry) -> CommandError {
        let reason = entry.reason.map { ": \($0.printable)" } ?? ""
        return CommandError(
            status: .negative, message: "the provider has no record of \(entry.address.printable)\(reason)")
    }

    func removed(_ address: String) -> CommandError {
        CommandError(status: .negative, message: "\(address.printable) was removed from the watch list")
    }
}
