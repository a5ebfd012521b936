import RecordKeeping

extension RecordKeeping.Record.Field {
    /// The fields that the table `record` stores, in the order of its columns: all but `asn`, which follows from `as`.
    static let stored = allCases.filter { $0 != .asn }

    /// The field's column in the table `record`.
    var column: String {
        switch self {
        case .continentCode: "continent_code"
        case .countryCode: "country_code"
        case .regionName: "region_name"
        case .offset: "utc_offset"
        case .as: "as_text"
        default: rawValue
        }
    }
}
