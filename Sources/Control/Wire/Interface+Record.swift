package import RecordKeeping

extension Interface {
    /// What a provider says of an address.
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
            continent = record.continent
            continentCode = record.continentCode
            country = record.country
            countryCode = record.countryCode
            region = record.region
            regionName = record.regionName
            city = record.city
            district = record.district
            zip = record.zip
            lat = record.lat
            lon = record.lon
            timezone = record.timezone
            offset = record.offset
            currency = record.currency
            isp = record.isp
            org = record.org
            self.as = record.as
            asn = record.asn
            asname = record.asname
            reverse = record.reverse
            mobile = record.mobile
            proxy = record.proxy
            hosting = record.hosting
        }
    }
}
