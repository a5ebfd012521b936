import GRDB
import RecordKeeping

/// Writes one commit to the tables.
struct Transaction {
    let database: Database
    /// The row of the current boot.
    let boot: Int64
    /// The statements that write entries and records, looked up once: a commit writes thousands of rows.
    let (putEntry, putRecord, moveRecord): (Statement, Statement, Statement)
    /// Rows added to the table `change`, minus rows deleted.
    private(set) var changes: Int64 = 0

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
        case .cohort(let id, let time, let provider): try put(id, at: time, provider: provider)
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
            try run("DELETE FROM network_loss", [])
            if let loss {
                try run("INSERT INTO network_loss VALUES (1, ?, ?)", [loss.since.milliseconds, loss.reason])
            }
        }
    }

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
        let fields = event.fields.isEmpty ? nil : try JSON.text(event.fields)
        try DamagedHistory.finding(in: .notice) {
            try run(
                "INSERT INTO notice VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    event.seq, event.at.milliseconds, event.kind.rawValue, event.address?.description, fields,
                    event.message, event.user,
                ])
        }
        if let seq = event.seq { try Meta.lastSeq.set(seq, in: database) }
        guard let address = event.address, let fields else { return }
        try DamagedHistory.finding(in: .change) {
            try run(
                "INSERT INTO change VALUES (?, ?, ?, ?)",
                [address.description, event.seq, event.at.milliseconds, fields])
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
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO quota_window VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"))
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
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO endpoint_health VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"))
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
