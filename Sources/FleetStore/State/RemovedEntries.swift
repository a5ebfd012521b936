import RecordKeeping

/// The entries that one group of statements removes, with their records and the history of their changes.
struct RemovedEntries {
    private var ids: [Int64] = []
    private var addresses: [String] = []

    mutating func append(_ key: EntryKey) {
        ids.append(key.id.number)
        addresses.append(key.address.description)
    }

    /// Adds an entry whose address keeps its history.
    mutating func append(_ id: EntryID) {
        ids.append(id.number)
    }

    func statements(_ fleet: FleetKey) -> [String] {
        guard !ids.isEmpty else { return [] }
        let array = "'{\(StateChanges.list(ids))}'::bigint[]"
        var statements = ["record", "entry"].map {
            "DELETE FROM iprecord.\($0) WHERE fleet = \(fleet.number) AND id = ANY (\(array))"
        }
        if !addresses.isEmpty {
            // Addresses contain no braces, commas or quotes.
            statements.append(
                """
                DELETE FROM iprecord.change
                WHERE fleet = \(fleet.number) AND address = ANY ('{\(addresses.joined(separator: ","))}'::text[])
                """)
        }
        return statements
    }
}
