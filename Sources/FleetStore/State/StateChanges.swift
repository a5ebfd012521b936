import Fleet
import RecordKeeping

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
        flushEntries()
        flushNotices()
        flushRemoved()
    }

    private mutating func apply(_ write: Commit.Write) throws(FleetStoreError) {
        switch write {
        case .cohort(let id, let time, let provider, let version):
            try call(
                "put_scan",
                [.integer(id.number), .text(provider)] + instant(time) + [.integer(version?.number)])
        case .put(let key, let entry, let cohort):
            flushRemoved()
            if entries.contains(key.id) { flushEntries() }
            entries.append(key, entry, cohort, term: row.term)
        case .move(let records, let cohort):
            flushEntries()
            statements.append(
                """
                UPDATE iprecord.record SET scan = \(cohort.number)
                WHERE fleet = \(fleet.number) AND id = ANY ('{\(Self.list(records.map(\.number)))}'::bigint[])
                """)
        case .remove(let key):
            flushEntries()
            if notices.hasChange(of: key.address) { flushNotices() }
            removed.append(key)
        case .removeObsolete(let id):
            flushEntries()
            removed.append(id)
        case .removeCohort(let id):
            flushEntries()
            statements.append("DELETE FROM iprecord.scan WHERE fleet = \(fleet.number) AND id = \(id.number)")
        case .putName(let saved): put(saved)
        case .removeName(let name):
            statements.append(
                """
                DELETE FROM iprecord.host_name
                WHERE fleet = \(fleet.number) AND name = \(StateValue.text(name.description).element)
                """)
        case .event(let event): notices.append(event)
        case .window(let window): try put(window)
        case .health(let health): put(health)
        case .outage(let outage): put(outage)
        case .forgetHistory, .historyMark, .historyClock, .alertsLogged, .hasFileEntries, .networkLoss: break
        }
    }

    // MARK: Rows that were collected

    private mutating func flushEntries() {
        statements += entries.statements(fleet)
        entries = WrittenEntries()
    }

    private mutating func flushNotices() {
        statements += notices.statements(fleet, seq: row.seq)
        notices.flushed()
    }

    private mutating func flushRemoved() {
        statements += removed.statements(fleet)
        removed = RemovedEntries()
    }

    // MARK: Single rows

    private mutating func put(_ saved: SavedName) {
        let watch = saved.watch
        upsert(
            .hostName,
            [
                .text(saved.name.description), .text(watch.tags.isEmpty ? nil : StateJSON.text(watch.tags)),
                .text(watch.note), .integer(watch.answeredAt?.milliseconds), .text(watch.failure?.reason),
                .integer(watch.failure?.since.milliseconds),
                // Addresses contain no braces, commas or quotes.
                .text("{\(watch.addresses.map(\.description).joined(separator: ","))}"),
            ])
    }

    private mutating func put(_ window: SavedWindow) throws(FleetStoreError) {
        try call(
            "put_window",
            [
                .text(window.provider ?? ""), .text(window.endpoint.rawValue), .integer(window.limit.map { Int64($0) }),
                .integer(window.remaining.map { Int64($0) }), .integer(Int64(window.outstanding)),
                .integer(window.length.wholeMilliseconds),
            ] + instant(window.resetsAt) + [.integer(window.margin?.wholeMilliseconds)])
    }

    private mutating func put(_ health: SavedHealth) {
        upsert(
            .endpointHealth,
            [
                .text(health.provider ?? ""), .text(health.endpoint.rawValue), .text(health.state.rawValue),
                .integer(health.since.milliseconds),
            ] + StateValue.of(health.failure, term: row.term) + StateValue.of(health.retryAt, term: row.term) + [
                .bool(health.isFromRetryAfter)
            ])
    }

    private mutating func put(_ outage: Outage) {
        guard outage.cause == .provider else { return }
        upsert(
            .outage,
            [
                .integer(outage.since.milliseconds), .integer(outage.until?.milliseconds), .text(outage.message),
                .integer(Int64(outage.deferred)),
            ])
    }

    private mutating func upsert(_ table: StateTable, _ values: [StateValue]) {
        statements.append(
            """
            INSERT INTO \(table.name) VALUES (\(fleet.number), \(values.map(\.element).joined(separator: ", ")))
            \(table.replacement)
            """)
    }

    private mutating func call(_ function: String, _ arguments: [SQLArgument]) throws(FleetStoreError) {
        statements.append(try FleetScript.statement(calling: function, [.integer(fleet.number)] + arguments))
    }

    private func instant(_ instant: Instant?) -> [SQLArgument] {
        [
            .integer(instant?.wall.milliseconds), .integer(instant?.boot.nanoseconds),
            .integer(instant == nil ? nil : row.term),
        ]
    }

    static func list(_ numbers: [Int64]) -> String { numbers.map { "\($0)" }.joined(separator: ",") }
}
