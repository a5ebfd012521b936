import Control

extension Interface.OfflineRecord {
    /// The databases and the date of the oldest one, such as "GeoLite2-City, GeoLite2-ASN of 2026-07-01".
    var source: String { "\(database) of \(Times.day(builtAt))" }
}

extension Interface.Entry {
    /// The record from local databases, for an entry without any record from the provider.
    var substitute: Interface.OfflineRecord? { record == nil ? offline : nil }
}
