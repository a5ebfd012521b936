/// The fields of an element in the documented order, in which the provider sends them (ip-api.com, docs/api:json,
/// "Returned data").
enum FieldName: Int, CaseIterable {
    case query, status, message
    case continent, continentCode, country, countryCode, region, regionName, city, district, zip, lat, lon
    case timezone, offset, currency, isp, org, `as`, asname, reverse, mobile, proxy, hosting

    /// The names by raw value. Each case has the name of its field.
    static let names = allCases.map { "\($0)" }

    var name: String { Self.names[rawValue] }
}
