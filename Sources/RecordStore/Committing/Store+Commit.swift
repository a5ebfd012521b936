import Dispatch
import GRDB
package import RecordKeeping
import Synchronization

extension Store {
    /// Writes a commit in one transaction, after all earlier commits.
    ///
    /// - Parameters:
    ///   - bootID: the id of the current boot, which is stored with each instant.
    ///   - done: called once on the store's queue, when the commit is on disk or is certain to have no effect.
    package func commit(
        _ commit: Commit, bootID: String, done: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        writer.async { [self] in
            done(
                result {
                    try repairingHistory(onProgress: callBackAfterProgress) { try write(commit, bootID: bootID) }
                })
        }
    }

    /// The query for the addresses with changes up to a given seq. These changes expire.
    static let expiredAddresses =
        "SELECT DISTINCT address FROM notice WHERE seq <= ? AND address IS NOT NULL AND fields IS NOT NULL"
    /// The statement that deletes an address's changes up to a seq.
    static let forgetChanges = "DELETE FROM change WHERE address = ? AND seq <= ?"

    private func write(_ commit: Commit, bootID: String) throws {
        let count = changes.load(ordering: .relaxed)
        let changed = try pool.write { database in
            var transaction = try Transaction(database, bootID: bootID)
            for write in commit.writes { try transaction.apply(write) }
            if transaction.changes != 0 { try Meta.changes.set(max(0, count + transaction.changes), in: database) }
            return transaction.changes
        }
        changes.store(max(0, count + changed), ordering: .relaxed)
    }
}

extension Store {
    /// Calls `done` on any queue when the commits requested so far have ended, or earlier if the rebuild of a damaged
    /// history table has made progress.
    ///
    /// If the disk hangs, `done` is not called.
    package func afterProgress(_ done: @escaping @Sendable () -> Void) {
        progressCallbacks.withLock { $0.append(done) }
        writer.async { [self] in callBackAfterProgress() }
    }

    private func callBackAfterProgress() {
        let callbacks = progressCallbacks.withLock { callbacks in
            defer { callbacks = [] }
            return callbacks
        }
        for callback in callbacks { callback() }
    }
}

/// Writes one commit to the tables.
private struct Transaction {
    let database: Database
    /// The row of the current boot.
    let boot: Int64
    /// The statements that write an entry and its record, looked up once: a commit writes thousands of rows.
    private let (putEntry, putRecord, removeRecord): (Statement, Statement, Statement)
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
        removeRecord = try database.cachedStatement(sql: "DELETE FROM record WHERE address = ?")
    }

    mutating func apply(_ write: Commit.Write) throws {
        switch write {
        case .put(let address, let entry, let scanReplaced): try put(address, entry, scanReplaced: scanReplaced)
        case .remove(let address):
            try run("DELETE FROM entry WHERE address = ?", [address.description])
            try DamagedHistory.finding(in: .change) {
                try run("DELETE FROM change WHERE address = ?", [address.description])
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

    private func run(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Binds the three columns of an instant: wall time, boot time and row of the boot.
    private func bind(_ instant: Instant?, to row: inout RowWriter) throws {
        try row.bind(instant?.wall.milliseconds)
        try row.bind(instant?.boot.nanoseconds)
        try row.bind(instant == nil ? nil : boot)
    }

    /// Binds the six columns of a failure: kind, message, attempts, and its instant.
    private func bind(_ failure: Failure?, to row: inout RowWriter) throws {
        try row.bind(failure?.kind.rawValue)
        try row.bind(failure?.message)
        try row.bind(failure?.attempts)
        try bind(failure?.at, to: &row)
    }

    private func put(_ address: IPAddress, _ entry: Entry, scanReplaced: Bool) throws {
        let key = address.description
        let watch = entry.watch
        let tags = watch?.tags ?? []
        var row = RowWriter(putEntry)
        try row.bind(key)
        try row.bind(watch != nil)
        try row.bind(watch?.byClient ?? false)
        try row.bind(watch?.fileColumn ?? 0)
        try row.bind(watch?.isPinned ?? false)
        try row.bind(tags.isEmpty ? nil : JSON.text(tags))
        try row.bind(watch?.note)
        try row.bind(entry.changedAt?.milliseconds)
        try bind(entry.failure, to: &row)
        try row.bind(entry.omissions.isEmpty ? nil : JSON.text(entry.omissions))
        try row.write()
        guard scanReplaced else { return }
        guard let scan = entry.scan else {
            var row = RowWriter(removeRecord)
            try row.bind(key)
            return try row.write()
        }
        try put(scan, of: key)
    }

    /// The columns of an entry that an upsert updates: all but its address.
    private static let entryColumns = [
        "watched", "by_client", "by_file", "pinned", "tags", "note", "changed_at", "failure_kind", "failure_message",
        "failure_attempts", "failure_at", "failure_boot_ns", "failure_boot", "omissions",
    ]

    /// An unchanged row is not written again. Nearly every refresh leaves the row unchanged.
    private static let entryUpsert = """
        INSERT INTO entry VALUES (?\(String(repeating: ", ?", count: entryColumns.count)))
        ON CONFLICT (address) DO UPDATE SET \(entryColumns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        WHERE (\(entryColumns.map { "entry.\($0)" }.joined(separator: ", ")))
          IS NOT (\(entryColumns.map { "excluded.\($0)" }.joined(separator: ", ")))
        """

    private func put(_ scan: Scan, of address: String) throws {
        var row = RowWriter(putRecord)
        try row.bind(address)
        try row.bind(scan.provider)
        try bind(scan.at, to: &row)
        try row.bind(scan.answer.emptyReason)
        let record = scan.answer.record
        for read in Self.fieldReaders { try bind(record.flatMap(read), to: &row) }
        try row.write()
    }

    /// Binds the value of a record's field.
    private func bind(_ value: RecordKeeping.Record.Value?, to row: inout RowWriter) throws {
        switch value {
        case .text(let text): try row.bind(text)
        case .number(let number): try row.bind(number)
        case .degrees(let degrees): try row.bind(degrees)
        case .flag(let flag): try row.bind(flag)
        case nil: try row.bind(nil as Int64?)
        }
    }

    private static let fieldReaders = RecordKeeping.Record.Field.stored.map(\.reader)

    private static let recordColumns =
        ["address", "provider", "scanned_at", "scanned_boot_ns", "scanned_boot", "empty_reason"]
        + RecordKeeping.Record.Field.stored.map(\.column)

    private static let recordReplacement = """
        INSERT OR REPLACE INTO record (\(recordColumns.joined(separator: ", ")))
        VALUES (?\(String(repeating: ", ?", count: recordColumns.count - 1)))
        """

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
