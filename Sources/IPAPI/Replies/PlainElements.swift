import PlainJSON
import RecordKeeping

/// The elements of a reply in its usual form: known fields, each at most once, of the documented types.
///
/// The elements are read in one pass over the bytes. Most addresses share their place and network with thousands of
/// others, so places and networks of recent replies come from a cache, and no strings are created for them. For any
/// other form, `JSONDecoder` reads the reply and reports errors. A fuzzer checks that both readers return the same
/// elements.
struct PlainElements {
    private var found = [PlainText?](repeating: nil, count: Field.allCases.count)
    private var lat: Double?
    private var lon: Double?
    private var offset: Int64?
    private var flags = [Bool?](repeating: nil, count: 3)
    /// The fields of the current element that have been read, as a bit set.
    private var seen: UInt32 = 0

    /// The fields in the documented order, in which the provider sends them (docs/api:json).
    private enum Field: Int, CaseIterable, Comparable {
        case query, status
        case continent, continentCode, country, countryCode, region, regionName, city, district, zip, lat, lon
        case timezone, offset, currency, isp, org, `as`, asname, reverse, mobile, proxy, hosting

        var name: StaticString {
            switch self {
            case .query: "query"
            case .status: "status"
            case .continent: "continent"
            case .continentCode: "continentCode"
            case .country: "country"
            case .countryCode: "countryCode"
            case .region: "region"
            case .regionName: "regionName"
            case .city: "city"
            case .district: "district"
            case .zip: "zip"
            case .lat: "lat"
            case .lon: "lon"
            case .timezone: "timezone"
            case .offset: "offset"
            case .currency: "currency"
            case .isp: "isp"
            case .org: "org"
            case .as: "as"
            case .asname: "asname"
            case .reverse: "reverse"
            case .mobile: "mobile"
            case .proxy: "proxy"
            case .hosting: "hosting"
            }
        }

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// Reads a body in its usual form.
    ///
    /// - Parameters:
    ///   - body: UTF-8.
    ///   - isBatch: whether the body is an array of elements instead of one element.
    ///   - maximum: the maximum number of elements.
    ///   - recent: the cache of places and networks.
    /// - Returns: nil if the body has another form.
    static func read(_ body: [UInt8], isBatch: Bool, maximum: Int, recent: inout RecentValues) -> [Element]? {
        body.withUnsafeBufferPointer { bytes in
            var reader = PlainReader(bytes: bytes, isUTF8: true)
            var (plain, elements) = (PlainElements(), [Element]())
            func readOne(_ reader: inout PlainReader) -> Bool {
                guard elements.count < maximum, let element = plain.element(&reader, &recent) else { return false }
                elements.append(element)
                return true
            }
            guard isBatch ? reader.array(readOne) : readOne(&reader), reader.isAtEnd else { return nil }
            return elements
        }
    }

    private mutating func element(_ reader: inout PlainReader, _ recent: inout RecentValues) -> Element? {
        for place in found.indices { found[place] = nil }
        (lat, lon, offset, seen) = (nil, nil, nil, 0)
        for place in flags.indices { flags[place] = nil }
        var next = 0
        let isPlain = reader.object { name, reader in
            guard let field = Self.field(name, expected: &next) else { return false }
            let bit = UInt32(1) << UInt32(field.rawValue)
            guard seen & bit == 0 else { return false }
            seen |= bit
            return reader.null() || read(field, &reader)
        }
        guard isPlain, self[.status]?.reads("success") == true, let query = self[.query],
            query.bytes.count <= ElementFields.maxTextBytes
        else { return nil }
        return Element(about: query.string, record(&recent))
    }

    /// - Parameter expected: the index of the field that probably comes next; updated for the next call.
    private static func field(_ name: PlainText, expected: inout Int) -> Field? {
        if let field = Field(rawValue: expected), name.reads(field.name) {
            expected += 1
            return field
        }
        guard let field = Field.allCases.first(where: { name.reads($0.name) }) else { return nil }
        expected = field.rawValue + 1
        return field
    }

    private mutating func read(_ field: Field, _ reader: inout PlainReader) -> Bool {
        switch field {
        case .lat:
            lat = Self.degrees(reader.decimal(), within: 90)
            return lat != nil
        case .lon:
            lon = Self.degrees(reader.decimal(), within: 180)
            return lon != nil
        case .offset:
            offset = reader.number().flatMap { $0.magnitude <= ElementFields.maxOffset ? $0 : nil }
            return offset != nil
        case .mobile, .proxy, .hosting:
            flags[field.rawValue - Field.mobile.rawValue] = reader.flag()
            return flags[field.rawValue - Field.mobile.rawValue] != nil
        default:
            found[field.rawValue] = reader.plainText()
            return found[field.rawValue] != nil
        }
    }

    private static func degrees(_ number: Double?, within bound: Double) -> Double? {
        guard let number, number.magnitude <= bound else { return nil }
        return number == 0 ? 0 : number
    }

    private subscript(field: Field) -> PlainText? { found[field.rawValue] }

    // MARK: Building the record

    private func record(_ recent: inout RecentValues) -> Record {
        let reported = key(of: .continent ... .zip, .timezone, .currency)
        let place = recent.places.part(of: reported, and: offset) { newPlace() }
        let network = recent.networks.part(of: key(of: .isp ... .asname), and: nil) { newNetwork() }
        var record = Record(place: place, network: network)
        (record.lat, record.lon) = (lat, lon)
        record.reverse = text(.reverse)
        (record.mobile, record.proxy, record.hosting) = (flags[0], flags[1], flags[2])
        return record
    }

    private func key(of range: ClosedRange<Field>, _ others: Field...) -> [PlainText?] {
        Array(found[range.lowerBound.rawValue...range.upperBound.rawValue]) + others.map { self[$0] }
    }

    private func text(_ field: Field) -> String? {
        self[field].flatMap { ElementFields.cleaned($0.string) }
    }

    private func newPlace() -> Place {
        var place = Place()
        place.continent = text(.continent)
        place.continentCode = text(.continentCode)
        place.country = text(.country)
        place.countryCode = text(.countryCode)
        place.region = text(.region)
        place.regionName = text(.regionName)
        place.city = text(.city)
        place.district = text(.district)
        place.zip = text(.zip)
        place.timezone = text(.timezone)
        place.offset = offset.map { Int($0) }
        place.currency = text(.currency)
        return place
    }

    private func newNetwork() -> Network {
        var network = Network()
        network.isp = text(.isp)
        network.org = text(.org)
        network.as = text(.as)
        network.asname = text(.asname)
        return network
    }
}

/// A cache of the places and networks of recent replies.
struct RecentValues: Sendable {
    var places = RecentValueCache<Place>()
    var networks = RecentValueCache<Network>()
}

/// A cache of recent values of one type.
struct RecentValueCache<Value: Hashable & Sendable>: Sendable {
    private var cache = InternCache<Value>(maximum: 1_024)

    /// Returns the cached value for the given fields, or makes and caches it.
    ///
    /// - Parameters:
    ///   - texts: the text fields of the value; nil for a missing field.
    ///   - number: the numeric field of the value, if it has one.
    mutating func part(of texts: [PlainText?], and number: Int64?, make: () -> Value) -> Interned<Value> {
        let length = texts.reduce(8) { $0 + ($1?.bytes.count ?? 0) + 1 }
        // A body may be megabytes long.
        guard length <= InternCache<Value>.maxKeyBytes else { return Interned(make()) }
        var key: [UInt8] = []
        key.reserveCapacity(length)
        for text in texts {
            // The fields contain neither of the separators 0 and 1.
            guard let text else {
                key.append(1)
                continue
            }
            key.append(contentsOf: text.bytes)
            key.append(0)
        }
        if let number { withUnsafeBytes(of: number) { key.append(contentsOf: $0) } }
        return cache.part(of: key) { Interned(make()) }
    }
}
