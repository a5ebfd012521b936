/// What a provider says of an address.
///
/// Names and meanings are those of ip-api.com (its documentation, docs/api:json); what the provider left out or left
/// blank is nil. A text is never empty.
package struct Record: Hashable, Sendable {
    package var continent: String?
    package var continentCode: String?
    package var country: String?
    /// ISO 3166-1 alpha-2.
    package var countryCode: String?
    package var region: String?
    package var regionName: String?
    package var city: String?
    package var district: String?
    package var zip: String?
    /// Degrees, -90 to 90.
    package var lat: Double?
    /// Degrees, -180 to 180.
    package var lon: Double?
    /// IANA name.
    package var timezone: String?
    /// Seconds from UTC, daylight saving included.
    package var offset: Int?
    /// ISO 4217.
    package var currency: String?
    package var isp: String?
    package var org: String?
    /// Number and name, as "AS15169 Google LLC".
    package var `as`: String?
    package var asname: String?
    package var reverse: String?
    package var mobile: Bool?
    package var proxy: Bool?
    package var hosting: Bool?

    package init() {}

    /// The number in `as`: 15169 of "AS15169 Google LLC". Nil where `as` is nil or does not begin so.
    package var asn: Int? {
        guard let digits = self.as?.dropFirst(2).prefix(while: \.isNumber), self.as?.hasPrefix("AS") == true else {
            return nil
        }
        return Int(digits)
    }
}
