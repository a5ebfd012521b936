package import RecordKeeping

/// Returns the record of an address in the local databases; nil if there is none.
package typealias OfflineLookup = @Sendable (IPAddress) -> Interface.OfflineRecord?

extension Interface {
    /// A record from local databases, which is reported beside an entry without a fresh record.
    package struct OfflineRecord: Codable, Hashable, Sendable {
        package var record: Record
        /// The types of the databases that have contributed fields, separated by commas.
        package var database: String
        /// When the oldest of these databases was built, as a Unix time in milliseconds.
        package var builtAt: Int64

        package init(record: Record, database: String, builtAt: WallTime) {
            self.record = record
            self.database = database
            self.builtAt = builtAt.milliseconds
        }
    }

    /// The state of a local database. Times are Unix times in milliseconds.
    package struct Database: Codable, Hashable, Sendable {
        package var path: String
        /// "loading" until the file has been read, then "ok", or "failing" if the file cannot be used.
        package var state: String
        /// The type of the version in use, such as "GeoLite2-City"; nil if no version is in use.
        package var databaseType: String?
        package var builtAt: Int64?
        /// The time at which the daemon loaded the version in use.
        package var loadedAt: Int64?
        /// The reason why the file cannot be used. The previous version stays in use, if there is one.
        package var message: String?

        package init(
            path: String, databaseType: String? = nil, builtAt: WallTime? = nil, loadedAt: WallTime? = nil,
            failure: String? = nil
        ) {
            self.path = path
            self.databaseType = databaseType
            self.builtAt = builtAt?.milliseconds
            self.loadedAt = loadedAt?.milliseconds
            message = failure
            state = failure != nil ? "failing" : databaseType == nil ? "loading" : "ok"
        }
    }
}
