import JSON
import RecordKeeping

/// The fields of one element, read with no more tolerance than this provider's replies require.
///
/// A missing, null or blank field is nil. A field that contradicts the documentation makes the whole element malformed,
/// so that there are no partial records. Strings that are too long are truncated instead, since the beginning of a name
/// is still useful.
struct ElementFields {
    /// The value of a field. A null field counts as missing.
    private enum Value {
        case missing
        case text(JSONText)
        case number(JSONNumber)
        case flag(Bool)
        case other
    }

    /// The values by `FieldName.rawValue`.
    private var values = [Value](repeating: .missing, count: FieldName.allCases.count)

    /// Maximum magnitude of `offset` in seconds. Time zones range from UTC-12 to UTC+14; a day is far beyond both.
    static let maxOffset = 86_400

    // MARK: Reading

    /// Reads an object. Other members are ignored; if a member occurs several times, the first one counts.
    ///
    /// - Returns: whether all names are valid.
    mutating func read(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
        for index in values.indices { values[index] = .missing }
        var (next, seen, isValid): (Int, UInt32, Bool) = (0, 0, true)
        try scanner.beginObject()
        while let name = try scanner.nextName() {
            isValid = isValid && name.isValid
            guard let index = Self.index(of: name, in: scanner, expecting: next), seen & 1 << index == 0 else {
                try scanner.skip()
                continue
            }
            seen |= 1 << index
            next = index + 1
            values[index] = try Self.value(&scanner)
        }
        return isValid
    }

    /// - Parameter next: the field that probably comes next.
    private static func index(of name: JSONText, in scanner: JSONScanner, expecting next: Int) -> Int? {
        let names = FieldName.names
        if next < names.count, scanner.text(name, equals: names[next]) { return next }
        return names.firstIndex { scanner.text(name, equals: $0) }
    }

    private static func value(_ scanner: inout JSONScanner) throws(JSONError) -> Value {
        switch try scanner.kind() {
        case .string: return .text(try scanner.string())
        case .number: return .number(try scanner.number())
        case .bool: return .flag(try scanner.bool())
        case .null:
            try scanner.null()
            return .missing
        case .object, .array:
            try scanner.skip()
            return .other
        }
    }

    private subscript(field: FieldName) -> Value { values[field.rawValue] }

    // MARK: Values

    func echo(in scanner: JSONScanner) -> Element.Echo {
        switch self[.query] {
        case .missing: return .absent
        case .text(let text) where text.isValid:
            let text = scanner.string(of: text)
            return text.utf8.count <= UntrustedText.maxFieldBytes ? .text(text) : .unreadable
        default: return .unreadable
        }
    }

    /// - Parameter recent: the cache of places and networks. Most addresses share their place and network with
    ///   thousands of other addresses.
    func record(in scanner: JSONScanner, _ recent: inout RecentValues) throws(FieldProblem) -> Record {
        var key: [UInt8] = []
        key.reserveCapacity(256)
        for field in Self.placeTexts { try append(field, to: &key, in: scanner) }
        let offset = try seconds(.offset, in: scanner)
        if let offset { withUnsafeBytes(of: offset) { key.append(contentsOf: $0) } }
        let place = recent.places.value(of: key) { Interned(newPlace(offset: offset, in: scanner)) }
        key.removeAll(keepingCapacity: true)
        for field in Self.networkTexts { try append(field, to: &key, in: scanner) }
        let network = recent.networks.value(of: key) { Interned(newNetwork(in: scanner)) }
        var record = Record(place: place, network: network)
        record.lat = try degrees(.lat, within: 90, in: scanner)
        record.lon = try degrees(.lon, within: 180, in: scanner)
        record.texts = OwnTexts(zip: try text(.zip, in: scanner), reverse: try text(.reverse, in: scanner))
        record.mobile = try flag(.mobile)
        record.proxy = try flag(.proxy)
        record.hosting = try flag(.hosting)
        return record
    }

    private static let placeTexts: [FieldName] = [
        .continent, .continentCode, .country, .countryCode, .region, .regionName, .city, .district, .timezone,
        .currency,
    ]
    private static let networkTexts: [FieldName] = [.isp, .org, .as, .asname]

    /// Appends a text as it is spelled, followed by a separator that no JSON string contains.
    private func append(_ field: FieldName, to key: inout [UInt8], in scanner: JSONScanner) throws(FieldProblem) {
        guard let text = try token(field) else { return key.append(1) }
        scanner.withBytes(of: text) { key.append(contentsOf: $0) }
        key.append(0)
    }

    /// - Parameter offset: the value of the `offset` field; `append` has checked the types of the other fields.
    private func newPlace(offset: Int?, in scanner: JSONScanner) -> Place {
        var place = Place()
        place.continent = checked(.continent, in: scanner)
        place.continentCode = checked(.continentCode, in: scanner)
        place.country = checked(.country, in: scanner)
        place.countryCode = checked(.countryCode, in: scanner)
        place.region = checked(.region, in: scanner)
        place.regionName = checked(.regionName, in: scanner)
        place.city = checked(.city, in: scanner)
        place.district = checked(.district, in: scanner)
        place.timezone = checked(.timezone, in: scanner)
        place.offset = offset
        place.currency = checked(.currency, in: scanner)
        return place
    }

    private func newNetwork(in scanner: JSONScanner) -> Network {
        var network = Network()
        network.isp = checked(.isp, in: scanner)
        network.org = checked(.org, in: scanner)
        network.as = checked(.as, in: scanner)
        network.asname = checked(.asname, in: scanner)
        return network
    }

    // MARK: Types

    private func token(_ field: FieldName) throws(FieldProblem) -> JSONText? {
        switch self[field] {
        case .missing: return nil
        case .text(let text) where text.isValid: return text
        default: throw FieldProblem(field, "is not a string")
        }
    }

    /// Returns the field as a bounded string; nil if it is missing, null or blank. Throws if it is not a string.
    func text(_ field: FieldName, in scanner: JSONScanner) throws(FieldProblem) -> String? {
        try token(field).flatMap { UntrustedText(scanner.string(of: $0)).field }
    }

    /// Returns the field as a bounded string if it is a string.
    private func checked(_ field: FieldName, in scanner: JSONScanner) -> String? {
        guard case .text(let text) = self[field] else { return nil }
        return UntrustedText(scanner.string(of: text)).field
    }

    private func flag(_ field: FieldName) throws(FieldProblem) -> Bool? {
        switch self[field] {
        case .missing: return nil
        case .flag(let flag): return flag
        default: throw FieldProblem(field, "is not a Boolean")
        }
    }

    private func degrees(
        _ field: FieldName, within bound: Double, in scanner: JSONScanner
    ) throws(FieldProblem) -> Double? {
        guard let number = try number(field, in: scanner) else { return nil }
        guard number.magnitude <= bound else {
            throw FieldProblem(field, "is \(number), outside the range from -\(bound) to \(bound)")
        }
        // Minus zero becomes zero, so that the sign does not count as a change.
        return number == 0 ? 0 : number
    }

    private func seconds(_ field: FieldName, in scanner: JSONScanner) throws(FieldProblem) -> Int? {
        guard let number = try number(field, in: scanner) else { return nil }
        guard let seconds = Int(exactly: number), seconds.magnitude <= Self.maxOffset else {
            throw FieldProblem(field, "is \(number), not a whole number of seconds within a day")
        }
        return seconds
    }

    /// Returns the value of a number, or of a string with a plain decimal number: no exponent, comma, plus sign or
    /// white space.
    private func number(_ field: FieldName, in scanner: JSONScanner) throws(FieldProblem) -> Double? {
        switch self[field] {
        case .missing: return nil
        case .number(let number):
            guard let value = scanner.double(of: number) else { throw FieldProblem(field, "is not a number") }
            return value
        case .text(let text) where text.isValid:
            let text = scanner.string(of: text)
            guard !text.allSatisfy(\.isWhitespace) else { return nil }
            guard text.utf8.count <= 32, text.utf8.allSatisfy(Self.isDecimal), let number = Double(text),
                number.isFinite
            else {
                throw FieldProblem(field, "is \"\(UntrustedText(text).bounded(to: 32))\", not a number")
            }
            return number
        default: throw FieldProblem(field, "is not a number")
        }
    }

    private static func isDecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
