import Control
import RecordKeeping

@testable import ipctl

extension Sample {
    /// Returns an entry at a place; without coordinates, it has no record.
    static func placed(
        _ lat: Double?, _ lon: Double?, state: EntryState = .fresh, city: String? = nil, address: String = address,
        expires: Int64? = nil, pinned: Bool = false
    ) throws -> Interface.Entry {
        var record: Record?
        if let lat, let lon {
            var known = Sample.record
            (known.lat, known.lon, known.city) = (lat, lon, city)
            record = known
        }
        var watch = Sample.watch
        watch.isPinned = pinned
        return try entry(
            state, address: address, watch: watch, record: record, scanned: record == nil ? nil : -1, expires: expires)
    }
}
