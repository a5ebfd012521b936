/// The fields of an element (ip-api.com, docs/api:json, "Returned data").
enum FieldName: String, CodingKey {
    case query, status, message
    case continent, continentCode, country, countryCode, region, regionName, city, district, zip, lat, lon
    case timezone, offset, currency, isp, org, `as`, asname, reverse, mobile, proxy, hosting
}

/// What is wrong with one field of an element.
struct FieldProblem: Error, Hashable, CustomStringConvertible {
    /// Begins with the field's name: "lat is 91.0, outside -90 to 90".
    let description: String

    init(_ field: FieldName, _ problem: String) {
        description = "\(field.rawValue) \(problem)"
    }
}
