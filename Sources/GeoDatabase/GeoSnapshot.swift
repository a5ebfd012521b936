package import RecordKeeping

/// The versions of the files that were in use at one moment. It keeps them open, also after a reload has replaced them.
package struct GeoSnapshot: Sendable {
    /// In the order of the configuration.
    private let databases: [OpenDatabase]
    /// The version of the records in these files; nil if there is no file. It depends only on the contents and the
    /// order of the files, and on the rules by which records are read from them.
    package let version: DataVersion?

    init(databases: [OpenDatabase]) {
        self.databases = databases
        var digest = ContentDigest(seed: Self.rules)
        for database in databases { digest.mix(database.digest.bits) }
        let name = databases.map(\.file.databaseType).joined(separator: ", ")
        let id = DataVersion.ID(number: Int64(bitPattern: digest.bits))
        version = databases.isEmpty ? nil : DataVersion(id: id, name: name)
    }

    /// Returns the fields that the files have for an address.
    package func lookup(_ address: IPAddress) -> GeoLookup {
        var fields = GeoFields()
        var sources: [GeoDatabaseFile] = []
        var errors: [GeoDatabaseError] = []
        for database in databases {
            do throws(GeoDatabaseError) {
                if try fields.add(database.fields(of: address)) { sources.append(database.file) }
            } catch {
                errors.append(error)
            }
        }
        return GeoLookup(record: fields.record, sources: sources, errors: errors)
    }

    /// The number of the rules by which records are read (`FieldMapping`, `GeoFields`). A change to these rules
    /// increases it, so that all records are read again after an update of the program.
    private static let rules: UInt64 = 1
}
