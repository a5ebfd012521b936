import RecordKeeping
import StoredValues

/// The entries and records that one pair of statements writes.
struct WrittenEntries {
    private var entries = ColumnArrays(StateTable.entry.types)
    private var records = ColumnArrays(recordTypes)
    private var ids: Set<EntryID> = []

    /// Whether a row with this id is among them. A statement can write a row only once.
    func contains(_ id: EntryID) -> Bool { ids.contains(id) }

    mutating func append(_ key: EntryKey, _ entry: Entry, _ cohort: CohortID?, term: Int64) {
        ids.insert(key.id)
        let watch = entry.watch
        let tags = watch?.tags ?? []
        entries.append(
            [
                .integer(key.id.number), .storedText(key.address.description), .bool(watch != nil),
                .bool(watch?.byClient ?? false), .integer(watch?.fileColumn ?? 0), .bool(watch?.isPinned ?? false),
                .storedText(tags.isEmpty ? nil : JSONColumn.text(tags)), .storedText(watch?.note),
                .integer(entry.changedAt?.milliseconds),
            ] + SQLArgument.of(entry.failure, term: term) + [
                .storedText(entry.omissions.isEmpty ? nil : JSONColumn.text(entry.omissions)),
                .integer(watch?.end?.until.milliseconds),
            ])
        guard let cohort, let answer = entry.scan?.answer else { return }
        let fields = Self.fields.map { SQLArgument.of($0, answer.record) }
        records.append([.integer(key.id.number), .integer(cohort.number), .storedText(answer.emptyReason)] + fields)
    }

    func statements(_ fleet: FleetKey) throws(FleetStoreError) -> [String] {
        var statements: [String] = []
        if entries.count > 0 {
            let columns = StateTable.entry.columnNames.joined(separator: ", ")
            statements.append(
                """
                INSERT INTO iprecord.entry
                SELECT \(fleet.number), * FROM \(try entries.expression()) AS u (\(columns))
                \(StateTable.entry.replacement)
                """)
        }
        if records.count > 0 { statements.append(try recordStatement(fleet)) }
        return statements
    }

    /// Inserts new places and networks, and inserts or replaces the records.
    private func recordStatement(_ fleet: FleetKey) throws(FleetStoreError) -> String {
        let (places, networks) = (StateTable.place.columnNames.dropFirst(), StateTable.network.columnNames.dropFirst())
        let (place, network) = (places.joined(separator: ", "), networks.joined(separator: ", "))
        let columns = (["id", "scan", "empty_reason"] + places + networks + Self.ownColumns).joined(separator: ", ")
        let digest = places.map { $0 == "utc_offset" ? "utc_offset::text" : $0 }.joined(separator: ", ")
        return """
            WITH given AS (
              SELECT *, CASE WHEN empty_reason IS NULL THEN iprecord.digest(\(digest)) END AS place,
                CASE WHEN empty_reason IS NULL THEN iprecord.digest(\(network)) END AS network
              FROM \(try records.expression()) AS u (\(columns))
            ), new_place AS (
              INSERT INTO iprecord.place SELECT DISTINCT ON (place) \(fleet.number), place, \(place)
              FROM given WHERE place IS NOT NULL ORDER BY place ON CONFLICT (fleet, id) DO NOTHING
            ), new_network AS (
              INSERT INTO iprecord.network SELECT DISTINCT ON (network) \(fleet.number), network, \(network)
              FROM given WHERE network IS NOT NULL ORDER BY network ON CONFLICT (fleet, id) DO NOTHING
            )
            INSERT INTO iprecord.record
            SELECT \(fleet.number), id, scan, empty_reason, place, network, \(Self.ownColumns.joined(separator: ", "))
            FROM given
            \(StateTable.record.replacement)
            """
    }

    /// The fields in the order of the columns of `place`, of `network` and of `record`; `asn` follows from `as`.
    private static let fields =
        RecordKeeping.Record.Field.ofPlace + RecordKeeping.Record.Field.ofStoredNetwork + RecordKeeping.Record.Field.own
    private static let ownColumns = RecordKeeping.Record.Field.own.map(\.rawValue)
    private static let recordTypes =
        ["bigint", "bigint", "text"] + StateTable.place.types.dropFirst() + StateTable.network.types.dropFirst()
        + ["float8", "float8", "text", "text", "boolean", "boolean", "boolean"]
}
