import GRDB
import RecordKeeping
import StoredValues

/// Watched host names.
extension Transaction {
    func put(_ saved: SavedName) throws {
        let (name, watch) = (saved.name.description, saved.watch)
        var row = RowWriter(try database.cachedStatement(sql: Self.nameUpsert))
        try row.bind(name)
        try row.bind(watch.tags.isEmpty ? nil : JSONColumn.text(watch.tags))
        try row.bind(watch.note)
        try row.bind(watch.answeredAt?.milliseconds)
        try row.bind(watch.failure?.reason)
        try row.bind(watch.failure?.since.milliseconds)
        try row.write()
        try run("DELETE FROM host_address WHERE name = ?", [name])
        for address in watch.addresses {
            try run("INSERT INTO host_address VALUES (?, ?)", [name, address.description])
        }
    }

    func remove(_ name: HostName) throws {
        try run("DELETE FROM host_name WHERE name = ?", [name.description])
        try run("DELETE FROM host_address WHERE name = ?", [name.description])
    }

    private static let nameUpsert = upsert(
        "host_name", key: ["name"], ["tags", "note", "answered_at", "failure", "failing_since"])
}
