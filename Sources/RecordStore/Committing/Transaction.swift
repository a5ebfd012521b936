import GRDB
import RecordKeeping
import StoredValues

/// Writes one commit to the tables.
struct Transaction {
    let database: Database
    /// The row of the current boot.
    let boot: Int64
    /// The statements that write entries and records, looked up once: a commit writes thousands of rows.
    let (putEntry, putRecord, moveRecord): (Statement, Statement, Statement)
    /// Rows added to the table `change`, minus rows deleted.
    private(set) var changes: Int64 = 0
    /// The `seq` of the last event that this commit keeps; nil if it keeps none.
    private(set) var lastSeq: Int64?

    init(_ database: Database, bootID: String) throws {
        self.database = database
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO boot (boot_id) VALUES (?)").execute(arguments: [bootID]
        )
        let select = try database.cachedStatement(sql: "SELECT id FROM boot WHERE boot_id = ?")
        guard let id = try Int64.fetchOne(select, arguments: [bootID]) else {
            throw DatabaseError(message: "the row of the current boot is missing after its insertion")
        }
        boot = id
        putEntry = try database.cachedStatement(sql: Self.entryUpsert)
        putRecord = try database.cachedStatement(sql: Self.recordReplacement)
        moveRecord = try database.cachedStatement(sql: "UPDATE record SET scan = ? WHERE id = ?")
    }

    /// - Parameter tables: the rows that records share; new ones are added.
    mutating func apply(_ write: Commit.Write, _ tables: inout SharedTables) throws {
        switch write {
        case .cohort(let id, let time, let provider, let version):
            try put(id, at: time, provider: provider, version: version)
        case .put(let key, let entry, let cohort): try put(key, entry, cohort, &tables)
        case .move(let records, let cohort): try move(records, to: cohort)
        case .removeCohort(let id): try run("DELETE FROM scan WHERE id = ?", [id.number])
        case .removeObsolete(let id): try run("DELETE FROM entry WHERE id = ?", [id.number])
        case .remove(let key):
            try run("DELETE FROM entry WHERE id = ?", [key.id.number])
            try DamagedHistory.finding(in: .change) {
                try run("DELETE FROM change WHERE address = ?", [key.address.description])
            }
            changes -= Int64(database.changesCount)
        case .putName(let saved): try put(saved)
        case .removeName(let name): try remove(name)
        case .event(let event): try keep(event)
        case .forgetHistory(let mark): try forget(through: mark)
        case .historyMark(let mark):
            try DamagedHistory.finding(in: .mark) {
                try run(
                    "INSERT OR REPLACE INTO history_mark VALUES (?, ?, ?)",
                    [mark.elapsed.wholeMilliseconds, mark.seq, mark.outage])
            }
        case .historyClock(let clock): try put(clock)
        case .alertsLogged(let seq): try Meta.loggedSeq.set(seq, in: database)
        case .hasFileEntries(let value): try Meta.hasFileEntries.set(value ? 1 : 0, in: database)
        case .window(let window): try put(window)
        case .health(let health): try put(health)
        case .outage(let outage):
            try DamagedHistory.finding(in: .outage) {
                try run(
                    "INSERT OR REPLACE INTO outage VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        outage.number, outage.since.milliseconds, outage.until?.milliseconds, outage.cause.rawValue,
                        outage.message, outage.deferred,
                    ])
            }
        case .networkLoss(let loss):
            if let loss {
                try run(Self.lossUpsert, [1, loss.since.milliseconds, loss.reason])
            } else {
                // Without a condition, SQLite would write a page even if there is no row.
                try run("DELETE FROM network_loss WHERE id = 1", [])
            }
        }
    }

    /// Writes the values that depend on all writes of the commit.
    ///
    /// - Parameter count: the number of rows in the table `change` before the commit.
    func finish(changesBefore count: Int64) throws {
        if let lastSeq { try Meta.lastSeq.set(lastSeq, in: database) }
        if changes != 0 { try Meta.changes.set(max(0, count + changes), in: database) }
    }

    /// Returns a statement that inserts a row, or updates the row with the same key. A row that would not change is not
    /// written, because SQLite writes whole pages.
    ///
    /// - Parameters:
    ///   - key: the first columns of the table, which identify a row.
    ///   - columns: all other columns, in the order of the table.
    static func upsert(_ table: String, key: [String], _ columns: [String]) -> String {
        """
        INSERT INTO \(table) VALUES (\((key + columns).map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE
        SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        WHERE (\(columns.map { "\(table).\($0)" }.joined(separator: ", ")))
          IS NOT (\(columns.map { "excluded.\($0)" }.joined(separator: ", ")))
        """
    }

    private static let lossUpsert = upsert("network_loss", key: ["id"], ["since", "reason"])
    private static let windowUpsert = upsert(
        "quota_window", key: ["provider", "endpoint"],
        ["quota", "remaining", "under_way", "length", "resets_at", "resets_boot_ns", "resets_boot", "margin"])
    private static let healthUpsert = upsert(
        "endpoint_health", key: ["provider", "endpoint"],
        [
            "state", "since", "failure_kind", "failure_message", "failure_attempts", "failure_at", "failure_boot_ns",
            "failure_boot", "retry_at", "retry_boot_ns", "retry_boot", "from_retry_after",
        ])

    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Binds the three columns of an instant: wall time, boot time and row of the boot.
    func bind(_ instant: Instant?, to row: inout RowWriter) throws {
        try row.bind(instant?.wall.milliseconds)
        try row.bind(instant?.boot.nanoseconds)
        try row.bind(instant == nil ? nil : boot)
    }

    /// Binds the six columns of a failure: kind, message, attempts, and its instant.
    func bind(_ failure: Failure?, to row: inout RowWriter) throws {
        try row.bind(failure?.kind.rawValue)
        try row.bind(failure?.message)
        try row.bind(failure?.attempts)
        try bind(failure?.at, to: &row)
    }

    private mutating func keep(_ event: PublishedEvent) throws {
        let fields = event.fields.isEmpty ? nil : JSONColumn.text(event.fields)
        let address = event.address?.description
        try DamagedHistory.finding(in: .notice) {
            var row = RowWriter(
                try database.cachedStatement(sql: "INSERT INTO notice VALUES (?, ?, ?, ?, ?, ?, ?, ?)"))
            try row.bind(event.seq)
            try row.bind(event.at.milliseconds)
            try row.bind(event.kind.rawValue)
            try row.bind(address)
            try row.bind(fields)
            try row.bind(event.message)
            try row.bind(event.user.map { Int64($0) })
            try row.bind(event.name?.description)
            try row.write()
        }
        lastSeq = event.seq ?? lastSeq
        guard let address, let fields else { return }
        try DamagedHistory.finding(in: .change) {
            var row = RowWriter(try database.cachedStatement(sql: "INSERT INTO change VALUES (?, ?, ?, ?)"))
            try row.bind(address)
            try row.bind(event.seq)
            try row.bind(event.at.milliseconds)
            try row.bind(fields)
            try row.write()
        }
        changes += 1
    }

    /// Deletes only the oldest part of the history, so that the rest has no gaps. Changes are found by the addresses of
    /// expired events, so that changes whose own event is lost are also found.
    private mutating func forget(through mark: HistoryMark) throws {
        try DamagedHistory.finding(in: .notice) {
            let addresses = try String.fetchCursor(database, sql: Store.expiredAddresses, arguments: [mark.seq])
            while let address = try addresses.next() {
                try DamagedHistory.finding(in: .change) { try run(Store.forgetChanges, [address, mark.seq]) }
                changes -= Int64(database.changesCount)
            }
            try run("DELETE FROM notice WHERE seq <= ?", [mark.seq])
        }
        try DamagedHistory.finding(in: .outage) {
            try run("DELETE FROM outage WHERE number <= ?", [mark.outage])
        }
        try DamagedHistory.finding(in: .mark) {
            try run("DELETE FROM history_mark WHERE elapsed <= ?", [mark.elapsed.wholeMilliseconds])
        }
    }

    private func put(_ clock: SavedHistoryClock) throws {
        try Meta.historyElapsed.set(clock.elapsed.wholeMilliseconds, in: database)
        try Meta.historyWall.set(clock.at.wall.milliseconds, in: database)
        try Meta.historyBootTime.set(clock.at.boot.nanoseconds, in: database)
        try Meta.historyBoot.set(boot, in: database)
    }

    private func put(_ window: SavedWindow) throws {
        // The row of an unknown provider is superseded: the provider of this endpoint is now known.
        try run("DELETE FROM quota_window WHERE provider = '' AND endpoint = ?", [window.endpoint.rawValue])
        var row = RowWriter(
            try database.cachedStatement(sql: Self.windowUpsert))
        try row.bind(window.provider ?? "")
        try row.bind(window.endpoint.rawValue)
        try row.bind(window.limit)
        try row.bind(window.remaining)
        try row.bind(window.outstanding)
        try row.bind(window.length.wholeMilliseconds)
        try bind(window.resetsAt, to: &row)
        try row.bind(window.margin?.wholeMilliseconds)
        try row.write()
    }

    private func put(_ health: SavedHealth) throws {
        // The row of an unknown provider is superseded: the provider of this endpoint is now known.
        try run("DELETE FROM endpoint_health WHERE provider = '' AND endpoint = ?", [health.endpoint.rawValue])
        var row = RowWriter(
            try database.cachedStatement(sql: Self.healthUpsert))
        try row.bind(health.provider ?? "")
        try row.bind(health.endpoint.rawValue)
        try row.bind(health.state.rawValue)
        try row.bind(health.since.milliseconds)
        try bind(health.failure, to: &row)
        try bind(health.retryAt, to: &row)
        try row.bind(health.isFromRetryAfter ? 1 : 0)
        try row.write()
    }
}
