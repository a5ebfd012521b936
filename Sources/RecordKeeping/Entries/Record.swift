/// The provider's data about one address.
///
/// Names and meanings are those of ip-api.com (docs/api:json). A field that the provider omitted or left blank is nil;
/// a string is never empty.
///
/// Thousands of addresses may have the same place and network, so their records share one copy of each.
@dynamicMemberLookup
package struct Record: Hashable, Sendable {
    package var place: Interned<Place>
    package var network: Interned<Network>
    /// The latitude in degrees, -90 to 90.
    package var lat: Double?
    /// The longitude in degrees, -180 to 180.
    package var lon: Double?
    /// The values of `zip` and `reverse`.
    package var texts = OwnTexts()
    package var mobile: Bool?
    package var proxy: Bool?
    package var hosting: Bool?

    package init(place: Place, network: Network) {
        self.init(place: Interned(place), network: Interned(network))
    }

    package init(place: Interned<Place>, network: Interned<Network>) {
        self.place = place
        self.network = network
    }

    package init() {
        self.init(place: Self.nowhere, network: Self.unknown)
    }

    init(place: Interned<Place>) {
        self.init(place: place, network: Self.unknown)
    }

    init(network: Interned<Network>) {
        self.init(place: Self.nowhere, network: network)
    }

    /// Returns whether both records are identical byte for byte.
    func isExactly(_ other: Record) -> Bool {
        // `OwnTexts` compares bytes.
        self == other && place.isExactly(other.place) && network.isExactly(other.network)
    }

    private static let nowhere = Interned(Place())
    private static let unknown = Interned(Network())

    package subscript<Value>(dynamicMember member: WritableKeyPath<Place, Value>) -> Value {
        get { place.value[keyPath: member] }
        set {
            var changed = place.value
            changed[keyPath: member] = newValue
            place = Interned(changed)
        }
    }

    package subscript<Value>(dynamicMember member: WritableKeyPath<Network, Value>) -> Value {
        get { network.value[keyPath: member] }
        set {
            var changed = network.value
            changed[keyPath: member] = newValue
            network = Interned(changed)
        }
    }

    /// The postal code.
    package var zip: String? {
        get { texts.zip }
        set { texts = OwnTexts(zip: newValue, reverse: reverse) }
    }

    /// The reverse DNS name of the address (RFC 1035 §3.5).
    package var reverse: String? {
        get { texts.reverse }
        set { texts = OwnTexts(zip: zip, reverse: newValue) }
    }

    /// The number in `as`: 15169 in "AS15169 Google LLC"; nil if `as` is nil or has no number.
    package var asn: Int? { network.value.asn }
}

/// The location of an address, without its coordinates and postal code.
package struct Place: Hashable, Sendable {
    package var continent: String?
    package var continentCode: String?
    package var country: String?
    /// ISO 3166-1 alpha-2.
    package var countryCode: String?
    package var region: String?
    package var regionName: String?
    package var city: String?
    package var district: String?
    /// IANA time zone name.
    package var timezone: String?
    /// Offset from UTC in seconds, including daylight saving time.
    package var offset: Int?
    /// ISO 4217 code.
    package var currency: String?

    package init() {}
}

/// The operator of the network of an address.
package struct Network: Hashable, Sendable {
    package var isp: String?
    package var org: String?
    /// Number and name of the autonomous system: "AS15169 Google LLC".
    package var `as`: String?
    package var asname: String?

    package init() {}

    /// The number in `as`: 15169 in "AS15169 Google LLC"; nil if `as` is nil or has no number.
    package var asn: Int? {
        guard let digits = self.as?.dropFirst(2).prefix(while: \.isNumber), self.as?.hasPrefix("AS") == true else {
            return nil
        }
        return Int(digits)
    }
}
