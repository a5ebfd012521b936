package import RecordKeeping

/// The result of looking up an address in all databases.
package struct GeoLookup: Hashable, Sendable {
    /// The combined fields; nil if no database has any.
    package let record: Record?
    /// The databases that contributed fields, in the order of the configuration.
    package let sources: [GeoDatabaseFile]
    /// The databases whose data of this address cannot be decoded. The other databases were used.
    package let errors: [GeoDatabaseError]

    /// The types of the databases, such as "GeoLite2-City, GeoLite2-ASN".
    package var database: String { sources.map(\.databaseType).joined(separator: ", ") }

    /// The time at which the oldest of the databases was built; nil if there is no record.
    package var builtAt: WallTime? { sources.map(\.builtAt).min() }
}
