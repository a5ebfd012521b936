import GRDB

extension Schema {
    /// The number at the start of a migration's name, which is also the number of the resulting schema; 0 if it has
    /// none.
    static func number(ofMigration name: String) -> Int { Int(name.prefix { $0 != ":" }) ?? 0 }

    /// The number of the newest schema that this program knows.
    static var newest: Int { migrator.migrations.map(number(ofMigration:)).max() ?? 0 }

    /// Requires that this program knows all migrations of the database.
    ///
    /// - Parameter path: the path of the database, for the error.
    /// - Throws: `StoreError.newer` if a newer version of this program has migrated the database; `StoreError.damaged`
    ///   if the names of its migrations are unknown.
    static func requireKnown(_ database: Database, path: String) throws {
        guard try migrator.hasBeenSuperseded(database) else { return }
        let applied = try migrator.appliedIdentifiers(database)
        let schema = applied.map(number(ofMigration:)).max() ?? 0
        guard schema <= newest else { throw StoreError.newer(path: path, schema: schema, known: newest) }
        throw StoreError.damaged(path: path, message: "unknown migrations: \(applied.sorted().joined(separator: ", "))")
    }
}
