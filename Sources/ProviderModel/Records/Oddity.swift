package import RecordKeeping

/// The manner in which one record in ten is unusual. The address alone determines the oddity, which is the same in
/// every revision of the record.
///
/// Each of these records is valid, and each oddity occurs in records of geolocation providers.
package enum Oddity: UInt64, CaseIterable, Sendable {
    /// Names with quotation marks, backslashes, slashes and markup.
    case quotes
    case accents
    /// Names in Chinese, Japanese and Korean, with characters outside the Basic Multilingual Plane.
    case ideographs
    /// Names in Arabic, Hebrew and Persian, with invisible joiners.
    case rightToLeft
    /// Names with combining characters, and with emoji that consist of several scalars.
    case combining
    /// Names with control characters and bidirectional overrides.
    case controls
    /// Names of about the maximum stored length, and longer ones.
    case longNames
    case emptyFields
    case nullFields
    /// Fields that are left out.
    case missingFields
    case numbersAsStrings
    /// Coordinates at the ends of their range, and numbers with an exponent.
    case extremeNumbers

    /// - Returns: nil for the nine in ten addresses whose records are ordinary.
    package init?(of address: IPAddress) {
        // With this salt, the records of the addresses in the documents are ordinary.
        let hash = MadeUpRecord.mixed(address.high, address.low, salt: 18)
        guard hash % 10 == 0 else { return nil }
        self.init(rawValue: hash / 10 % UInt64(Self.allCases.count))
    }

    /// Returns the fields with the oddity. `org` stays the same, because it states that the record is made up.
    func applied(
        to fields: [(name: String, value: ModelElement.Value)], of address: IPAddress
    ) -> [(name: String, value: ModelElement.Value)] {
        switch self {
        case .quotes, .accents, .ideographs, .rightToLeft, .combining, .controls, .longNames:
            let variants = names
            let chosen = variants[Int(MadeUpRecord.mixed(address.high, address.low, salt: 8) % UInt64(variants.count))]
            return chosen.replacing(in: fields)
        case .emptyFields: return fields.map { Self.optional.contains($0.name) ? ($0.name, $0.value.emptied) : $0 }
        case .nullFields: return fields.map { Self.nullable.contains($0.name) ? ($0.name, .null) : $0 }
        case .missingFields: return fields.filter { !Self.nullable.contains($0.name) }
        case .numbersAsStrings: return fields.map { ($0.name, $0.value.withNumberAsString) }
        case .extremeNumbers:
            let chosen = MadeUpRecord.mixed(address.high, address.low, salt: 8) % UInt64(Self.coordinates.count)
            let (lat, lon) = Self.coordinates[Int(chosen)]
            return fields.map { field in
                switch field.name {
                case "lat": (field.name, .numeral(lat))
                case "lon": (field.name, .numeral(lon))
                default: field
                }
            }
        }
    }

    /// Text fields that may be empty.
    private static let optional: Set = ["region", "regionName", "city", "zip", "currency", "asname", "reverse"]

    /// Fields that may be null or left out.
    private static let nullable: Set = [
        "city", "district", "zip", "lat", "lon", "currency", "asname", "reverse", "mobile", "proxy",
    ]

    private static let coordinates = [
        ("90", "-180"), ("-90.0", "180.0"), ("-0.0", "0e0"), ("1.25e1", "-1.7999E2"), ("9000e-2", "0.00001"),
        ("47.366666666666667", "-0.000000000001"),
    ]
}

extension ModelElement.Value {
    /// An empty string if this value is a string; otherwise, the value itself.
    fileprivate var emptied: ModelElement.Value {
        if case .text = self { .text("") } else { self }
    }
}
