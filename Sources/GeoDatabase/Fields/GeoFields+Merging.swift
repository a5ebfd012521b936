import RecordKeeping

extension GeoFields {
    /// Adds fields of a database with a lower priority. Returns whether any field was added.
    ///
    /// Places are combined only if both databases agree about the continent and the country, and the parts of a place
    /// within its country come from a single database, so that a record never has the city of one database and the
    /// coordinates of another. Networks are combined only if the numbers of the autonomous systems agree.
    mutating func add(_ other: GeoFields) -> Bool {
        let before = self
        if agrees(with: other) {
            place.continentCode = place.continentCode ?? other.place.continentCode
            place.continent = place.continent ?? other.place.continent
            place.countryCode = place.countryCode ?? other.place.countryCode
            place.country = place.country ?? other.place.country
            if !hasLocality { takeLocality(of: other) }
        }
        if Self.areCompatible(network.asn, other.network.asn) {
            network.as = network.as ?? other.network.as
            network.isp = network.isp ?? other.network.isp
            network.org = network.org ?? other.network.org
        }
        proxy = proxy ?? other.proxy
        hosting = hosting ?? other.hosting
        return self != before
    }

    /// Whether neither the countries nor the continents differ.
    private func agrees(with other: GeoFields) -> Bool {
        Self.areCompatible(place.countryCode, other.place.countryCode)
            && Self.areCompatible(place.continentCode, other.place.continentCode)
    }

    private static func areCompatible<Value: Equatable>(_ a: Value?, _ b: Value?) -> Bool {
        a == nil || b == nil || a == b
    }

    /// Whether there is information about the place within its country.
    private var hasLocality: Bool {
        [place.region, place.regionName, place.city, place.timezone, zip].contains { $0 != nil } || coordinates != nil
    }

    private mutating func takeLocality(of other: GeoFields) {
        place.region = other.place.region
        place.regionName = other.place.regionName
        place.city = other.place.city
        place.timezone = other.place.timezone
        zip = other.zip
        coordinates = other.coordinates
    }
}
