import RecordKeeping

/// The model's record of an address, computed from the address alone, so that it stays the same until the revision
/// changes.
///
/// As in reality, neighbouring addresses share a network, and usually a place, and one record in ten is unusual: see
/// ``Oddity``.
struct MadeUpRecord {
    let address: IPAddress
    let revision: Int
    /// As in ``ModelSettings/variety``.
    let variety: Int
    /// As in ``ModelSettings/hasDistinctTexts``.
    let hasDistinctTexts: Bool

    /// The text of `org`, so that a made-up record is not mistaken for a real one.
    static let organisation = "ip-api-stand-in (made-up record)"

    /// All fields, without `status` and `query`.
    var fields: [(name: String, value: ModelElement.Value)] {
        guard let oddity = Oddity(of: address) else { return ordinaryFields }
        return oddity.applied(to: ordinaryFields, of: address)
    }

    private var ordinaryFields: [(name: String, value: ModelElement.Value)] {
        let place = self.place
        let network = self.network
        let near = Self.mixed(address.high, address.low, salt: 3)
        // The coordinates are at most 0.1 degrees, or about ten kilometres, from the centre of the city.
        let shift = (Double(near & 0xFFFF) / 0xFFFF - 0.5, Double(near >> 16 & 0xFFFF) / 0xFFFF - 0.5)
        return [
            ("continent", .text(place.continent)), ("continentCode", .text(place.continentCode)),
            ("country", .text(place.country)), ("countryCode", .text(place.countryCode)),
            ("region", .text(place.region)), ("regionName", .text(place.regionName)),
            ("city", .text(place.city)), ("district", .text(one(of: "District", salt: 4))),
            ("zip", .text(zip(of: place))),
            ("lat", .number(place.lat + shift.0 / 5)), ("lon", .number(place.lon + shift.1 / 5)),
            ("timezone", .text(place.timezone)), ("offset", .integer(place.offset)),
            ("currency", .text(place.currency)), ("isp", .text(network?.name ?? "")),
            ("org", .text(Self.organisation + one(of: ", customer", salt: 5))), ("as", .text(network?.text ?? "")),
            ("asname", .text(network?.shortName ?? "")), ("reverse", .text(reverse(in: network))),
            ("mobile", .flag(network?.kind == .mobile)),
            ("proxy", .flag(network?.kind == .proxy || near % 61 == 0)),
            ("hosting", .flag(network?.kind == .hosting || network?.kind == .proxy)),
        ]
    }

    /// The place, chosen by the /20 or the /48. Each revision moves to the next row of the table, so that consecutive
    /// revisions differ.
    private var place: MadeUpPlace {
        let hash = Self.mixed(address.high, block20, salt: 1)
        let row = (hash % UInt64(MadeUpPlace.all.count)) &+ UInt64(revision)
        return MadeUpPlace.all[Int(row % UInt64(MadeUpPlace.all.count))]
    }

    /// The network, chosen by the /16 or the /32; nil for one block in thirty, which is not announced and has an empty
    /// `as`.
    private var network: MadeUpNetwork? {
        let block = address.v4.map { UInt64($0 >> 16) } ?? address.high >> 32
        let hash = Self.mixed(block, address.family == .v4 ? 4 : 6, salt: 2)
        return hash % 30 == 7 ? nil : MadeUpNetwork.all[Int(hash / 30 % UInt64(MadeUpNetwork.all.count))]
    }

    /// Returns a name with a number from 1 to the variety, chosen by the /20 or the /48; empty if the variety is 1.
    private func one(of name: String, salt: UInt64) -> String {
        guard variety > 1 else { return "" }
        let hash = Self.mixed(address.high, block20, salt: salt)
        return "\(name) \(hash % UInt64(variety) + 1)"
    }

    /// Returns one of ten postal codes of a place, chosen by the /20 or the /48. A code that does not end in a digit
    /// stays as it is. If `hasDistinctTexts` is true, returns a code that no other address has.
    private func zip(of place: MadeUpPlace) -> String {
        if hasDistinctTexts { return "\(place.zip)-\(String(address.high ^ address.low, radix: 36))" }
        guard let last = place.zip.utf8.last, (0x30...0x39).contains(last) else { return place.zip }
        return place.zip.dropLast() + "\(Self.mixed(address.high, block20, salt: 6) % 10)"
    }

    private var block20: UInt64 { address.v4.map { UInt64($0 >> 12) } ?? 0 }

    private func reverse(in network: MadeUpNetwork?) -> String {
        guard let domain = network?.domain ?? (hasDistinctTexts ? "host.example" : nil) else { return "" }
        let label = address.networkOrder.map { byte in
            address.family == .v4 ? "\(byte)" : (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return label.joined(separator: address.family == .v4 ? "-" : "") + ".\(domain)"
    }

    /// The finaliser of splitmix64 over two words. Unlike `Hasher`, it gives the same result on every machine and in
    /// every run.
    static func mixed(_ a: UInt64, _ b: UInt64, salt: UInt64) -> UInt64 {
        var state = salt &* 0x9E37_79B9_7F4A_7C15
        for word in [a, b] {
            state ^= word
            state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
            state ^= state >> 31
        }
        return state
    }
}
