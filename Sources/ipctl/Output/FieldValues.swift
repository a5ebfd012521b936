import Control
import RecordKeeping

/// The fields of an entry and its record, by their names in the interface.
struct FieldValues {
    private let entry: Interface.Entry

    init(_ entry: Interface.Entry) {
        self.entry = entry
    }

    static let names =
        ["address", "state", "watched", "origin", "pinned", "tags", "note", "provider", "scannedAt", "expiresAt"]
        + ["changedAt", "reason", "failure"] + Record.Field.allCases.map(\.rawValue)

    /// The value of a field; nil if it is unknown, and for a name that is not in `names`.
    subscript(name: String) -> String? {
        switch name {
        case "address": entry.address
        case "state": entry.state
        case "watched": "\(entry.watched)"
        case "origin": entry.origin
        case "pinned": "\(entry.pinned)"
        case "tags": entry.tags.joined(separator: ",")
        case "note": entry.note
        case "provider": entry.provider
        case "scannedAt": entry.scannedAt.map { "\($0)" }
        case "expiresAt": entry.expiresAt.map { "\($0)" }
        case "changedAt": entry.changedAt.map { "\($0)" }
        case "reason": entry.reason
        case "failure": entry.failure?.kind
        default: Record.Field(rawValue: name).flatMap(text)
        }
    }

    private func text(of field: Record.Field) -> String? {
        guard let record = entry.record else { return nil }
        return switch field {
        case .continent: record.continent
        case .continentCode: record.continentCode
        case .country: record.country
        case .countryCode: record.countryCode
        case .region: record.region
        case .regionName: record.regionName
        case .city: record.city
        case .district: record.district
        case .zip: record.zip
        case .lat: record.lat.map { "\($0)" }
        case .lon: record.lon.map { "\($0)" }
        case .timezone: record.timezone
        case .offset: record.offset.map { "\($0)" }
        case .currency: record.currency
        case .isp: record.isp
        case .org: record.org
        case .as: record.as
        case .asn: record.asn.map { "\($0)" }
        case .asname: record.asname
        case .reverse: record.reverse
        case .mobile: record.mobile.map { "\($0)" }
        case .proxy: record.proxy.map { "\($0)" }
        case .hosting: record.hosting.map { "\($0)" }
        }
    }
}
