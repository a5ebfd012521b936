import Fleet
import PostgreSQL
import RecordKeeping
import StoredValues

/// The statements that apply a commit to the tables of the current state.
///
/// Some writes have no effect here, because they concern one host: its loss of the route, outages of its network, its
/// retention clock and its marks, and the alerts in its journal. `sweep` deletes old events.
struct StateChanges {
    private let fleet: FleetKey
    private let row: JournalRow
    private(set) var statements: [String] = []
    private var entries = WrittenEntries()
    private var notices = NoticeRows()
    private var removed = RemovedEntries()

    init(_ writes: [Commit.Write], of row: JournalRow, in fleet: FleetKey) throws(FleetStoreError) {
        (self.fleet, self.row) = (fleet, row)
        for write in writes { try apply(write) }
        try flushEntries()
        try flushNotices()
        try flushRemoved()
    }

    private mutating func apply(_ write: Commit.Write) throws(FleetStoreError) {
        switch write {
        case .cohort(let id, let time, let provider, let version):
            try call(
                "put_scan",
                [.integer(id.number), .storedText(provider)] + SQLArgument.of(time, term: row.term) + [
                    .integer(version?.number)
                ])
        case .put(let key, let entry, let cohort):
            try flushRemoved()
            if entries.contains(key.id) { try flushEntries() }
            entries.append(key, entry, cohort, term: row.term)
        case .move(let records, let cohort):
            try flushEntries()
            statements.append(
                """
                UPDATE iprecord.record SET scan = \(cohort.number)
                WHERE fleet = \(fleet.number) AND id = ANY (\(SQLArgument.array(records.map(\.number))))
                """)
        case .remove(let key):
            try flushEntries()
            if notices.hasChange(of: key.address) { try flushNotices() }
            removed.append(key)
        case .removeObsolete(let id):
            try flushEntries()
            removed.append(id)
        case .removeCohort(let id):
            try flushEntries()
            statements.append("DELETE FROM iprecord.scan WHERE fleet = \(fleet.number) AND id = \(id.number)")
        case .putName(let saved): try put(saved)
        case .removeName(let name):
            statements.append(
                """
                DELETE FROM iprecord.host_name
                WHERE fleet = \(fleet.number) AND name = \(SQLValue.literal(replacingZeroBytes: name.description))
                """)
        case .event(let event): notices.append(event)
        case .window(let window): try put(window)
        case .health(let health): try put(health)
        case .outage(let outage): try put(outage)
        case .forgetHistory, .historyMark, .historyClock, .alertsLogged, .hasFileEntries, .networkLoss: break
        }
    }

    // MARK: Rows that were collected

    private mutating func flushEntries() throws(FleetStoreError) {
        statements += try entries.statements(fleet)
        entries = WrittenEntries()
    }

    private mutating func flushNotices() throws(FleetStoreError) {
        statements += try notices.statements(fleet, seq: row.seq)
        notices.flushed()
    }

    private mutating func flushRemoved() throws(FleetStoreError) {
        statements += try removed.statements(fleet)
        removed = RemovedEntries()
    }

    // MARK: Single rows

    private mutating func put(_ saved: SavedName) throws(FleetStoreError) {
        let watch = saved.watch
        try upsert(
            .hostName,
            [
                .storedText(saved.name.description),
                .storedText(watch.tags.isEmpty ? nil : JSONColumn.text(watch.tags)),
                .storedText(watch.note), .integer(watch.answeredAt?.milliseconds), .storedText(watch.failure?.reason),
                .integer(watch.failure?.since.milliseconds),
                .texts(watch.addresses.map(\.description)),
            ])
    }

    private mutating func put(_ window: SavedWindow) throws(FleetStoreError) {
        try call(
            "put_window",
            [
                .storedText(window.provider ?? ""), .storedText(window.endpoint.rawValue),
                .integer(window.limit.map { Int64($0) }),
                .integer(window.remaining.map { Int64($0) }), .integer(Int64(window.outstanding)),
                .integer(window.length.wholeMilliseconds),
            ] + SQLArgument.of(window.resetsAt, term: row.term) + [.integer(window.margin?.wholeMilliseconds)])
    }

    private mutating func put(_ health: SavedHealth) throws(FleetStoreError) {
        try upsert(
            .endpointHealth,
            [
                .storedText(health.provider ?? ""), .storedText(health.endpoint.rawValue),
                .storedText(health.state.rawValue),
                .integer(health.since.milliseconds),
            ] + SQLArgument.of(health.failure, term: row.term) + SQLArgument.of(health.retryAt, term: row.term) + [
                .bool(health.isFromRetryAfter)
            ])
    }

    private mutating func put(_ outage: Outage) throws(FleetStoreError) {
        guard outage.cause == .provider else { return }
        try upsert(
            .outage,
            [
                .integer(outage.since.milliseconds), .integer(outage.until?.milliseconds), .storedText(outage.message),
                .integer(Int64(outage.deferred)),
            ])
    }

    private mutating func upsert(_ table: StateTable, _ values: [SQLArgument]) throws(FleetStoreError) {
        statements.append(
            """
            INSERT INTO \(table.name) VALUES (\(fleet.number), \(try values.elements().joined(separator: ", ")))
            \(table.replacement)
            """)
    }

    private mutating func call(_ function: String, _ arguments: [SQLArgument]) throws(FleetStoreError) {
        statements.append(try FleetScript.statement(calling: function, [.integer(fleet.number)] + arguments))
    }
}
