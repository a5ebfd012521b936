import RecordKeeping

/// The fields of a record that databases have, while they are collected.
struct GeoFields: Hashable {
    var place = Place()
    var network = Network()
    var coordinates: Coordinates?
    var zip: String?
    var proxy: Bool?
    var hosting: Bool?

    /// A latitude and a longitude in degrees.
    struct Coordinates: Hashable {
        let latitude: Double
        let longitude: Double
    }

    init() {}

    /// Converts the values that a database has for an address. Values of another type, out of range or without
    /// meaning are left out.
    init(_ values: [FoundValue?], _ mapping: FieldMapping) {
        for options in mapping.groups {
            let fields = options.lazy.compactMap { Self.fields(of: $0, values) }
            if let first = fields.first { apply(first) }
        }
    }

    /// The record with these fields; nil if there are none.
    var record: Record? {
        guard self != GeoFields() else { return nil }
        var record = Record(place: place, network: network)
        record.lat = coordinates?.latitude
        record.lon = coordinates?.longitude
        record.zip = zip
        record.proxy = proxy
        record.hosting = hosting
        return record
    }

    /// Returns the valid values of an option; nil if its first one is missing.
    private static func fields(
        of option: [(target: FieldMapping.Target, index: Int)], _ values: [FoundValue?]
    ) -> [TargetValue]? {
        guard let main = option.first else { return nil }
        let fields = option.compactMap { target, index in
            values[index].flatMap(target.value(of:)).map { (target: target, value: $0) }
        }
        return fields.first?.target == main.target ? fields : nil
    }

    /// Not a dictionary, because hashing takes longer than comparing the few targets of an option.
    private typealias TargetValue = (target: FieldMapping.Target, value: Record.Value)

    private mutating func apply(_ fields: [TargetValue]) {
        func value(of target: FieldMapping.Target) -> Record.Value? { fields.first { $0.target == target }?.value }
        for (target, value) in fields {
            switch (target, value) {
            case (.continent, .text(let text)): place.continent = text
            case (.continentCode, .text(let text)): place.continentCode = text
            case (.country, .text(let text)): place.country = text
            case (.countryCode, .text(let text)): place.countryCode = text
            case (.region, .text(let text)): place.region = text
            case (.regionName, .text(let text)): place.regionName = text
            case (.city, .text(let text)): place.city = text
            case (.timezone, .text(let text)): place.timezone = text
            case (.zip, .text(let text)): zip = text
            case (.isp, .text(let text)): network.isp = text
            case (.organization, .text(let text)): network.org = text
            case (.proxy, .flag(let flag)): proxy = flag
            case (.hosting, .flag(let flag)): hosting = flag
            default: break
            }
        }
        if case .degrees(let latitude) = value(of: .latitude), case .degrees(let longitude) = value(of: .longitude) {
            coordinates = Coordinates(latitude: latitude, longitude: longitude)
        }
        if case .number(let number) = value(of: .asNumber) {
            let name = value(of: .asName).map { " \($0)" } ?? ""
            network.as = UntrustedText("AS\(number)\(name)").field
        }
    }
}
