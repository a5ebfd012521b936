extension Record {
    /// The fields, in the order in which the control interface names them.
    package enum Field: String, CaseIterable, Sendable {
        case continent, continentCode, country, countryCode, region, regionName, city, district, zip, lat, lon
        case timezone, offset, currency, isp, org, `as`, asn, asname, reverse, mobile, proxy, hosting
    }

    /// One field as text, as `history` and `changed` events tell it; nil where the provider said nothing.
    package func text(of field: Field) -> String? {
        switch field {
        case .continent: continent
        case .continentCode: continentCode
        case .country: country
        case .countryCode: countryCode
        case .region: region
        case .regionName: regionName
        case .city: city
        case .district: district
        case .zip: zip
        case .lat: lat.map { "\($0)" }
        case .lon: lon.map { "\($0)" }
        case .timezone: timezone
        case .offset: offset.map { "\($0)" }
        case .currency: currency
        case .isp: isp
        case .org: org
        case .as: self.as
        case .asn: asn.map { "\($0)" }
        case .asname: asname
        case .reverse: reverse
        case .mobile: mobile.map { "\($0)" }
        case .proxy: proxy.map { "\($0)" }
        case .hosting: hosting.map { "\($0)" }
        }
    }
}
