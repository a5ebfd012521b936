import RecordKeeping
import StoredValues

/// The events that one pair of statements writes.
struct NoticeRows {
    private var notices = ColumnArrays(StateTable.notice.types.dropFirst().map { $0 })
    private var changes = ColumnArrays(["text", "bigint", "bigint", "text"])
    private var changed: Set<IPAddress> = []
    /// The number of events of the journal's row so far.
    private var position: Int64 = 0

    /// Whether a change to the record of the address is among the events.
    func hasChange(of address: IPAddress) -> Bool { changed.contains(address) }

    /// Appends an event, unless it concerns the route of a host.
    mutating func append(_ event: PublishedEvent) {
        guard event.kind != .networkLost, event.kind != .networkRestored else { return }
        position += 1
        let fields = event.fields.isEmpty ? nil : JSONColumn.text(event.fields)
        notices.append([
            .integer(position), .integer(event.at.milliseconds), .storedText(event.kind.rawValue),
            .storedText(event.address?.description), .storedText(fields), .storedText(event.message),
            .integer(event.user.map { Int64($0) }), .storedText(event.name?.description),
        ])
        guard let address = event.address, let fields else { return }
        changed.insert(address)
        changes.append([
            .storedText(address.description), .integer(position), .integer(event.at.milliseconds), .storedText(fields),
        ])
    }

    mutating func flushed() {
        let position = position
        self = NoticeRows()
        self.position = position
    }

    func statements(_ fleet: FleetKey, seq: Int64) throws(FleetStoreError) -> [String] {
        var statements: [String] = []
        if notices.count > 0 {
            statements.append(
                """
                INSERT INTO iprecord.notice SELECT \(fleet.number), \(seq), u.* FROM \(try notices.expression()) AS u
                """)
        }
        if changes.count > 0 {
            statements.append(
                """
                INSERT INTO iprecord.change SELECT \(fleet.number), u.address, \(seq), u.position, u.at, u.fields
                FROM \(try changes.expression()) AS u (address, position, at, fields)
                """)
        }
        return statements
    }
}
