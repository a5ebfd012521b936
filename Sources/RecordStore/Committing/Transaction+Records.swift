import GRDB
import RecordKeeping
import StoredValues

/// Entries, records and cohorts.
extension Transaction {
    func put(_ cohort: CohortID, at time: Instant, provider: String, version: DataVersion.ID?) throws {
        var row = RowWriter(try database.cachedStatement(sql: Self.scanUpsert))
        try row.bind(cohort.number)
        try row.bind(provider)
        try bind(time, to: &row)
        try row.bind(version?.number)
        try row.write()
    }

    private static let scanUpsert = upsert("scan", key: ["id"], ["provider", "at", "boot_ns", "boot", "version"])

    func move(_ records: [EntryID], to cohort: CohortID) throws {
        for id in records {
            var row = RowWriter(moveRecord)
            try row.bind(cohort.number)
            try row.bind(id.number)
            try row.write()
        }
    }

    func put(_ key: EntryKey, _ entry: Entry, _ cohort: CohortID?, _ tables: inout SharedTables) throws {
        let watch = entry.watch
        let tags = watch?.tags ?? []
        var row = RowWriter(putEntry)
        try row.bind(key.id.number)
        try row.bind(key.address.description)
        try row.bind(watch != nil)
        try row.bind(watch?.byClient ?? false)
        try row.bind(watch?.fileColumn ?? 0)
        try row.bind(watch?.isPinned ?? false)
        try row.bind(tags.isEmpty ? nil : JSONColumn.text(tags))
        try row.bind(watch?.note)
        try row.bind(entry.changedAt?.milliseconds)
        try bind(entry.failure, to: &row)
        try row.bind(entry.omissions.isEmpty ? nil : JSONColumn.text(entry.omissions))
        try row.bind(watch?.end?.until.milliseconds)
        try row.bind(watch?.end?.elapsed.wholeMilliseconds)
        try row.write()
        guard let cohort, let answer = entry.scan?.answer else { return }
        try put(answer, of: key.id, cohort, &tables)
    }

    /// The statement that writes an entry. It does not rewrite a row that stays the same, such as the row of a watched
    /// entry that gets its first record.
    static let entryUpsert = upsert(
        "entry", key: ["id"],
        [
            "address", "watched", "by_client", "by_file", "pinned", "tags", "note", "changed_at", "failure_kind",
            "failure_message", "failure_attempts", "failure_at", "failure_boot_ns", "failure_boot", "omissions",
            "watched_until", "watched_until_elapsed",
        ])

    private func put(_ answer: Answer, of id: EntryID, _ cohort: CohortID, _ tables: inout SharedTables) throws {
        let record = answer.record
        let place = try record.map { record in
            try tables.places.id(of: record.place) { try insert("place", $0, record, Self.placeReaders) }
        }
        let network = try record.map { record in
            try tables.networks.id(of: record.network) { try insert("network", $0, record, Self.networkReaders) }
        }
        var row = RowWriter(putRecord)
        try row.bind(id.number)
        try row.bind(cohort.number)
        try row.bind(answer.emptyReason)
        try row.bind(place)
        try row.bind(network)
        for read in Self.ownReaders { try bind(record.flatMap(read), to: &row) }
        try row.write()
    }

    /// - Parameters:
    ///   - table: `place` or `network`.
    ///   - readers: return the values of the columns after the id, in their order.
    private func insert(
        _ table: String, _ id: Int64, _ record: RecordKeeping.Record,
        _ readers: [@Sendable (RecordKeeping.Record) -> RecordKeeping.Record.Value?]
    ) throws {
        let marks = String(repeating: ", ?", count: readers.count)
        var row = RowWriter(try database.cachedStatement(sql: "INSERT INTO \(table) VALUES (?\(marks))"))
        try row.bind(id)
        for read in readers { try bind(read(record), to: &row) }
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

    private static let placeReaders = RecordKeeping.Record.Field.ofPlace.map(\.reader)
    private static let networkReaders = RecordKeeping.Record.Field.ofStoredNetwork.map(\.reader)
    private static let ownReaders = RecordKeeping.Record.Field.own.map(\.reader)

    static let recordReplacement = """
        INSERT OR REPLACE INTO record
        VALUES (?, ?, ?, ?, ?\(String(repeating: ", ?", count: ownReaders.count)))
        """
}
