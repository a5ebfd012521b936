import GeoDatabase
import MMDBSamples
import RecordKeeping

extension SampleFolder {
    /// Returns the files as databases, opened in this order.
    func open(_ samples: MMDBSample...) throws -> GeoDatabase {
        let paths = try samples.enumerated().map { try put($1.bytes, "\($0).mmdb") }
        let database = try GeoDatabase(paths: paths)
        for change in database.reload() {
            guard case .opened = change else { throw UnexpectedChange(change: change) }
        }
        return database
    }

    private struct UnexpectedChange: Error {
        let change: GeoDatabaseChange
    }
}

/// Returns the fields of a record by their names; empty if there is no record.
func fields(_ record: Record?) -> [String: String] {
    guard let record else { return [:] }
    let pairs = Record.Field.allCases.compactMap { field in record.text(of: field).map { (field.rawValue, $0) } }
    return Dictionary(uniqueKeysWithValues: pairs)
}
