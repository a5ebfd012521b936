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

    func statements(_ fleet: FleetKey) throws(FleetStoreError) -> [String] {
        guard !ids.isEmpty else { return [] }
        let arrays = try [SQLArgument.integers(ids), .texts(addresses)].elements()
        var statements = ["record", "entry"].map {
            "DELETE FROM iprecord.\($0) WHERE fleet = \(fleet.number) AND id = ANY (\(arrays[0]))"
        }
        if !addresses.isEmpty {
            statements.append(
                "DELETE FROM iprecord.change WHERE fleet = \(fleet.number) AND address = ANY (\(arrays[1]))")
        }
        return statements
    }
}
