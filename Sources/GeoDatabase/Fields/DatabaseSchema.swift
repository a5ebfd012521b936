/// The names of the fields in a family of databases.
enum DatabaseSchema: CaseIterable {
    /// MaxMind's GeoIP and GeoLite databases, and those of DB-IP, which have the same names.
    case maxMind
    /// IPinfo Lite.
    case ipinfo
    /// Fields that only the exports of `ipctl` have, which otherwise have the names of MaxMind.
    case iprecord

    /// Returns the schemas of a database by the type in its metadata. A database of an unknown type has the fields of
    /// all schemas: no name has different meanings in two schemas.
    static func schemas(ofType type: String) -> [DatabaseSchema] {
        let type = type.lowercased()
        if ["geoip2", "geolite2", "dbip"].contains(where: type.hasPrefix) { return [.maxMind] }
        if type.hasPrefix("ipinfo") { return [.ipinfo] }
        return allCases
    }
}
