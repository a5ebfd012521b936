import JSON
import RecordKeeping

/// The values of an entry that an MMDB file contains, located in a reply to `List`, but not decoded: most of them occur
/// in thousands of entries. Null counts as missing.
struct ScannedEntry {
    private(set) var address: JSONText?
    private(set) var state: JSONText?
    /// The byte range of the array of tags.
    private(set) var tags: Range<Int>?
    /// Unix time in milliseconds.
    private(set) var scannedAt: JSONNumber?
    private(set) var continent: JSONText?
    private(set) var continentCode: JSONText?
    private(set) var country: JSONText?
    private(set) var countryCode: JSONText?
    private(set) var region: JSONText?
    private(set) var regionName: JSONText?
    private(set) var city: JSONText?
    private(set) var timezone: JSONText?
    private(set) var zip: JSONText?
    private(set) var lat: JSONNumber?
    private(set) var lon: JSONNumber?
    private(set) var `as`: JSONText?
    private(set) var proxy: Bool?
    private(set) var hosting: Bool?
    /// The byte range from the record's first member to its last one of `continent` to `city`. Records with equal bytes
    /// there have the same continent, country, region and city. Nil if the record has none of these.
    private(set) var placeMembers: Range<Int>?

    /// Reads an entry.
    ///
    /// - Throws: an error for text that is not JSON, or for a value of another type than the interface declares.
    init(_ scanner: inout JSONScanner, names: inout EntryNames) throws(JSONError) {
        try scanner.beginObject()
        while let name = try names.members.nextName(in: &scanner) {
            guard case .value(let member) = name else {
                try scanner.skip()
                continue
            }
            switch member {
            case .address: address = try Self.text(&scanner)
            case .state: state = try Self.text(&scanner)
            case .tags: tags = try Self.array(&scanner)
            case .scannedAt: scannedAt = try Self.number(&scanner)
            case .record where try scanner.kind() == .object: try readRecord(&scanner, &names)
            case .record, .watched, .origin, .pinned, .provider, .expiresAt, .changedAt: try scanner.skip()
            }
        }
    }

    private mutating func readRecord(_ scanner: inout JSONScanner, _ names: inout EntryNames) throws(JSONError) {
        try scanner.beginObject()
        let start = scanner.offset
        while let name = try names.fields.nextName(in: &scanner) {
            guard case .value(let field) = name else {
                try scanner.skip()
                continue
            }
            try readField(field, &scanner)
            switch field {
            case .continent, .continentCode, .country, .countryCode, .region, .regionName, .city:
                placeMembers = (placeMembers?.lowerBound ?? start)..<scanner.offset
            default: break
            }
        }
    }

    private mutating func readField(_ field: Record.Field, _ scanner: inout JSONScanner) throws(JSONError) {
        switch field {
        case .continent: continent = try Self.text(&scanner)
        case .continentCode: continentCode = try Self.text(&scanner)
        case .country: country = try Self.text(&scanner)
        case .countryCode: countryCode = try Self.text(&scanner)
        case .region: region = try Self.text(&scanner)
        case .regionName: regionName = try Self.text(&scanner)
        case .city: city = try Self.text(&scanner)
        case .timezone: timezone = try Self.text(&scanner)
        case .zip: zip = try Self.text(&scanner)
        case .lat: lat = try Self.number(&scanner)
        case .lon: lon = try Self.number(&scanner)
        case .as: self.as = try Self.text(&scanner)
        case .proxy: proxy = try Self.flag(&scanner)
        case .hosting: hosting = try Self.flag(&scanner)
        case .district, .offset, .currency, .isp, .org, .asn, .asname, .reverse, .mobile: try scanner.skip()
        }
    }

    // MARK: Types

    private static func isNull(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
        guard try scanner.kind() == .null else { return false }
        try scanner.null()
        return true
    }

    private static func text(_ scanner: inout JSONScanner) throws(JSONError) -> JSONText? {
        if let text = try scanner.stringIfNext() { return text }
        try scanner.null()
        return nil
    }

    private static func number(_ scanner: inout JSONScanner) throws(JSONError) -> JSONNumber? {
        try isNull(&scanner) ? nil : try scanner.number()
    }

    private static func flag(_ scanner: inout JSONScanner) throws(JSONError) -> Bool? {
        try isNull(&scanner) ? nil : try scanner.bool()
    }

    private static func array(_ scanner: inout JSONScanner) throws(JSONError) -> Range<Int>? {
        guard try !isNull(&scanner) else { return nil }
        let start = try scanner.startOfValue()
        try scanner.skip()
        return start..<scanner.offset
    }
}
