import Control
import Varlink

/// The kept events up to a time, as `ipctl monitor --until` prints them.
///
/// The daemon sends a filtered listener nothing that marks the end of the kept events. Therefore, the events are read
/// without a filter, up to the last event of the period, and the filters are applied here.
struct KeptPeriod {
    let history: EventHistory
    let filter: EventFilter
    /// The entries whose events are printed; nil for all.
    let entries: Interface.Filter?
    /// Prints events as rows; nil for lines of text.
    let printer: RowPrinter?
    /// The changed fields that have a row; empty for all.
    let fields: [String]

    /// Events between two writes to standard output.
    private static let eventsPerWrite = 1_000

    /// Prints the events after `start`, up to this time.
    ///
    /// - Parameter time: in milliseconds since 1970.
    /// - Returns: the number of events.
    func print(
        after start: Int64, until time: Int64, _ output: Output
    ) throws(CommandError) -> Int {
        let end = try history.boundary(at: time + 1).before
        guard start < end else { return 0 }
        let selected = try selectedAddresses()
        var (printed, printer) = (0, printer)
        try history.readAll(Control.Monitor.Parameters(after: start)) { reply, event throws(CommandError) in
            guard let seq = event.seq else { return false }
            let isSelected = selected.map { Self.selects(event, among: $0) } ?? true
            if seq <= end, isSelected, filter.matches(event) {
                if printer == nil {
                    output.print(
                        reply.parameters, or: [EventLine(event: event, now: Times.now).line(on: output.terminal)])
                }
                printer?.write(EventRows.rows(of: event, fields: fields), to: output)
                printed += 1
                if printed % Self.eventsPerWrite == 0 { try output.flush() }
            }
            return seq >= end
        }
        return printed
    }

    /// Whether an event is about one of these entries, or about the route or the provider.
    private static func selects(_ event: Interface.Event, among addresses: Set<String>) -> Bool {
        event.address.map { addresses.contains($0) } ?? (event.name == nil)
    }

    /// Returns the addresses of the entries that match the filter now; nil without a filter.
    private func selectedAddresses() throws(CommandError) -> Set<String>? {
        guard let entries else { return nil }
        return Set(try WatchedEntries.addresses(matching: entries, on: history.connection))
    }
}
