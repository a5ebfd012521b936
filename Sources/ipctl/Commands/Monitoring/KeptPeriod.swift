import Control
import Varlink

/// The kept events up to a time, as `ipctl monitor --until` prints them.
///
/// The daemon sends a filtered listener nothing that marks the end of the kept events. Therefore, the events are read
/// without a filter, up to the last event of the period, and the filters are applied here.
struct KeptPeriod {
    let history: EventHistory
    let filter: EventFilter
    /// The tags of the entries whose events are printed; empty for all.
    let tags: [String]
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
        let tagged = try taggedAddresses()
        var (printed, printer) = (0, printer)
        try history.readAll(Control.Monitor.Parameters(after: start)) { reply, event throws(CommandError) in
            guard let seq = event.seq else { return false }
            let isTagged = tagged.flatMap { tagged in event.address.map { tagged.contains($0) } } ?? true
            if seq <= end, isTagged, filter.matches(event) {
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

    /// Returns the addresses of the entries that have one of the tags now; nil without tags.
    private func taggedAddresses() throws(CommandError) -> Set<String>? {
        guard !tags.isEmpty else { return nil }
        var filter = Interface.Filter()
        filter.tags = tags
        return Set(try WatchedEntries.addresses(matching: filter, on: history.connection))
    }
}
