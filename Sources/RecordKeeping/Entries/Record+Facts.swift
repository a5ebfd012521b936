extension Record {
    /// A piece of information that people read as a single item, and that a record stores in one or more fields. The
    /// country, for example, has a name and a code.
    ///
    /// The names of facts are those that `ipctl show` prints. Messages, the journal and the output of `ipctl` group the
    /// changes of a record by fact; JSON and the history list every field.
    package enum Fact: CaseIterable, Sendable {
        case continent, country, region, city, district, postalCode, coordinates, timeZone, currency
        case network, provider, organisation, reverseName, mobile, proxy, hosting

        /// The name in running text.
        package var name: String {
            switch self {
            case .postalCode: "postal code"
            case .timeZone: "time zone"
            case .reverseName: "reverse name"
            default: "\(self)"
            }
        }

        /// The fields of the fact, the main one first. `asn` is derived from `as` and is not listed.
        var fields: [Field] {
            switch self {
            case .continent: [.continent, .continentCode]
            case .country: [.country, .countryCode]
            case .region: [.regionName, .region]
            case .city: [.city]
            case .district: [.district]
            case .postalCode: [.zip]
            case .coordinates: [.lat, .lon]
            case .timeZone: [.timezone, .offset]
            case .currency: [.currency]
            case .network: [.as, .asname]
            case .provider: [.isp]
            case .organisation: [.org]
            case .reverseName: [.reverse]
            case .mobile: [.mobile]
            case .proxy: [.proxy]
            case .hosting: [.hosting]
            }
        }
    }
}

extension Record.Field {
    /// The fact to which the field belongs.
    package var fact: Record.Fact { Self.facts[self] ?? .network }

    /// The fact of each field, except `asn`, which belongs to the network.
    private static let facts = Dictionary(
        uniqueKeysWithValues: Record.Fact.allCases.flatMap { fact in fact.fields.map { ($0, fact) } })

    /// The name of the field in running text, for a change that leaves the other fields of its fact unchanged.
    var nameInText: String {
        switch self {
        case .continentCode: "continent code"
        case .countryCode: "country code"
        case .region: "region code"
        case .lat: "latitude"
        case .lon: "longitude"
        case .offset: "UTC offset"
        case .asn: "AS number"
        case .asname: "network name"
        default: fact.name
        }
    }
}

extension String {
    package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
