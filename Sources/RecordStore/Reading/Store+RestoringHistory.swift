import GRDB
import RecordKeeping

extension Store {
    /// Runs a query of all tables that are needed at startup; if a history table is damaged, rebuilds the table and
    /// runs the query again.
    ///
    /// - Parameters:
    ///   - onProgress: called repeatedly, on any thread, during a rebuild.
    ///   - query: receives the tables that can be neither read nor rebuilt, for example because the disk is full. These
    ///     tables are reported and left unchanged.
    func readingHistory<Result>(
        onProgress: @escaping () -> Void, _ query: (_ unreadable: Set<HistoryTable>) throws -> Result
    ) throws -> Result {
        var rebuilt: Set<HistoryTable> = []
        var unreadable: Set<HistoryTable> = []
        while true {
            do {
                return try query(unreadable)
            } catch let damage as DamagedHistory {
                do {
                    guard rebuilt.insert(damage.table).inserted else { throw damage }
                    try rebuild(damage, onProgress)
                } catch {
                    unreadable.insert(damage.table)
                    reportUnreadable(damage.table, error)
                }
            }
        }
    }

    func reportUnreadable(_ table: HistoryTable, _ error: any Error) {
        report("starting without history table \"\(table.rawValue)\": \(StoreError(error, path: path))")
    }
}

/// The queries of the history at startup, which are bounded regardless of the size of the history.
extension Reading {
    /// The largest accepted number of an event or an outage. Incrementing it cannot overflow, and real numbers are far
    /// below it.
    static let maxNumber = Int64.max / 2
    /// The number of events that are searched for unlogged alerts, backwards from the last event. All unlogged alerts
    /// belong to the last commit, which has some 20,000 writes, and up to 100,000 more for its last request.
    private static let maxUnloggedEvents: Int64 = 200_000

    /// Returns the seq of the last event: from `meta`, or from the last row if `meta` is damaged.
    mutating func lastSeq() throws -> Int64 {
        let counted = try Meta.lastSeq.value(in: database).flatMap { (0...Self.maxNumber).contains($0) ? $0 : nil }
        let kept = try history(.notice) { reading in
            try Int64.fetchOne(
                reading.database, sql: "SELECT max(seq) FROM notice WHERE seq <= ?", arguments: [Self.maxNumber])
        }
        return max(0, counted ?? 0, kept ?? 0)
    }

    /// Returns the kept alerts that follow the mark up to which alerts are in the journal.
    mutating func unloggedAlerts(lastSeq: Int64) throws -> [PublishedEvent] {
        // If there is no mark, no alert is logged again.
        guard let logged = try Meta.loggedSeq.value(in: database), logged < lastSeq else { return [] }
        let first = max(0, logged, lastSeq - Self.maxUnloggedEvents)
        let kinds = PublishedEvent.Kind.allCases.filter(\.isAlert).map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try readable(
            "notice",
            "SELECT * FROM notice WHERE seq > \(first) AND seq <= \(lastSeq) AND kind IN (\(kinds)) ORDER BY seq"
        ) { _ in Store.event }
    }

    func historyClock() throws -> SavedHistoryClock? {
        guard let elapsed = try Meta.historyElapsed.value(in: database).flatMap(SavedTimes.elapsed(milliseconds:)),
            let wall = times.wall(try Meta.historyWall.value(in: database)),
            let boot = try Meta.historyBootTime.value(in: database), SavedTimes.isBootTime(boot)
        else { return nil }
        let row = try Meta.historyBoot.value(in: database)
        return SavedHistoryClock(
            elapsed: elapsed, at: Instant(boot: BootTime(nanoseconds: boot), wall: wall),
            isOfEarlierBoot: row == nil || row != times.boot)
    }

    func historyMark(_ row: Row) throws -> HistoryMark? {
        guard let elapsed = SavedTimes.elapsed(milliseconds: try row.column(0)) else { return nil }
        let (seq, outage): (Int64, Int64) = (try row.column(1), try row.column(2))
        guard (0...Self.maxNumber).contains(seq), (0...Self.maxNumber).contains(outage) else { return nil }
        return HistoryMark(elapsed: elapsed, seq: seq, outage: outage)
    }

    /// Returns the number of the last outage: from the last row, or from a mark if that row has been deleted.
    mutating func lastOutageNumber() throws -> Int64 {
        let kept = try history(.outage) { reading in
            try Int64.fetchOne(
                reading.database, sql: "SELECT max(number) FROM outage WHERE number <= ?", arguments: [Self.maxNumber])
        }
        return max(0, kept ?? 0)
    }

    /// Runs a query of a history table.
    ///
    /// - Returns: nil if the table cannot be read. This is reported once, and entries are served nevertheless.
    /// - Throws: `DamagedHistory` if the table is damaged.
    mutating func history<Value>(_ table: HistoryTable, _ query: (inout Self) throws -> Value?) throws -> Value? {
        guard !unreadableHistory.contains(table) else { return nil }
        do {
            return try DamagedHistory.finding(in: table) { try query(&self) }
        } catch let error as DatabaseError {
            unreadableHistory.insert(table)
            reportUnreadable(table, error)
            return nil
        }
    }
}
