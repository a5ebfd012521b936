extension Record {
    /// The fields of a record, in the order in which the control interface lists them.
    package enum Field: String, CaseIterable, Sendable {
        case continent, continentCode, country, countryCode, region, regionName, city, district, zip, lat, lon
        case timezone, offset, currency, isp, org, `as`, asn, asname, reverse, mobile, proxy, hosting
    }

    /// Returns one field as text, as in `History` and in `changed` events; nil if the provider omitted the field.
    package func text(of field: Field) -> String? {
        switch field {
        case .continent: place.value.continent
        case .continentCode: place.value.continentCode
        case .country: place.value.country
        case .countryCode: place.value.countryCode
        case .region: place.value.region
        case .regionName: place.value.regionName
        case .city: place.value.city
        case .district: place.value.district
        case .zip: place.value.zip
        case .lat: lat.map { "\($0)" }
        case .lon: lon.map { "\($0)" }
        case .timezone: place.value.timezone
        case .offset: place.value.offset.map { "\($0)" }
        case .currency: place.value.currency
        case .isp: network.value.isp
        case .org: network.value.org
        case .as: network.value.as
        case .asn: asn.map { "\($0)" }
        case .asname: network.value.asname
        case .reverse: reverse
        case .mobile: mobile.map { "\($0)" }
        case .proxy: proxy.map { "\($0)" }
        case .hosting: hosting.map { "\($0)" }
        }
    }
}
