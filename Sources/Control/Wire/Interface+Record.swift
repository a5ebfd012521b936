package import RecordKeeping

extension Interface {
    /// A provider's data about an address. A member is nil if the provider omitted it.
    package struct Record: Codable, Hashable, Sendable {
        package var continent: String?
        package var continentCode: String?
        package var country: String?
        package var countryCode: String?
        package var region: String?
        package var regionName: String?
        package var city: String?
        package var district: String?
        package var zip: String?
        package var lat: Double?
        package var lon: Double?
        package var timezone: String?
        package var offset: Int?
        package var currency: String?
        package var isp: String?
        package var org: String?
        package var `as`: String?
        package var asn: Int?
        package var asname: String?
        package var reverse: String?
        package var mobile: Bool?
        package var proxy: Bool?
        package var hosting: Bool?

        package init(_ record: RecordKeeping.Record) {
            let (place, network) = (record.place.value, record.network.value)
            continent = place.continent
            continentCode = place.continentCode
            country = place.country
            countryCode = place.countryCode
            region = place.region
            regionName = place.regionName
            city = place.city
            district = place.district
            zip = place.zip
            lat = record.lat
            lon = record.lon
            timezone = place.timezone
            offset = place.offset
            currency = place.currency
            isp = network.isp
            org = network.org
            self.as = network.as
            asn = network.asn
            asname = network.asname
            reverse = record.reverse
            mobile = record.mobile
            proxy = record.proxy
            hosting = record.hosting
        }
    }
}
