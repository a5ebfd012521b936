import GRDB
import RecordKeeping
import StoredValues

/// Watched host names.
extension Reading {
    /// Reads the watched names with their addresses, at most `Limits.watchedNames`.
    mutating func names() throws -> [SavedName] {
        let addresses = try readable("host_address", "SELECT name, address FROM host_address") { _ in
            { row in (try HostName(row.column(0) as String), try IPAddress(row.column(1) as String)) }
        }
        let byName = Dictionary(grouping: addresses, by: \.0).mapValues { $0.map(\.1).sorted() }
        let saved = try readable("host_name", "SELECT * FROM host_name ORDER BY name", Self.name)
        return saved.prefix(Limits.watchedNames).map { name, watch in
            var watch = watch
            watch.addresses = Array((byName[name] ?? []).prefix(Limits.addressesPerName))
            return SavedName(name, watch)
        }
    }

    /// Decodes a name without its addresses. A damaged time counts as missing, so that the name stays watched.
    private func name(_ row: Row) throws -> (HostName, WatchedName)? {
        var watch = WatchedName()
        let name = try HostName(row.column(0) as String)
        let tags: [String] = try (row.column(1) as String?).map { try JSONColumn.value(from: $0) } ?? []
        watch.tags = Set(tags).sorted()
        watch.note = try row.column(2)
        watch.answeredAt = times.wall(try row.column(3))
        if let reason: String = try row.column(4) {
            watch.failure = NameFailure(reason: reason, since: times.wall(try row.column(5)) ?? times.now.wall)
        }
        return (name, watch)
    }
}
