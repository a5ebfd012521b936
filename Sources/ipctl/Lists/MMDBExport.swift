import Control
import MMDBWriter
import RecordKeeping

/// Collects entries for an MMDB file, with the fields that `docs/mmdb.md` describes.
struct MMDBExport {
    private typealias Member = (key: String, value: MMDBValue)

    private var builder: MMDBBuilder
    /// The members for the places of earlier entries. Most entries share their place with others.
    private var places: [Place: [Member]] = [:]

    /// Maximum number of places to remember, about half a kilobyte each.
    private static let maxRemembered = 50_000
    /// The fields are those of GeoIP2 City and more; libraries for GeoIP2 require "City" in the name. Names that begin
    /// with "GeoIP" are reserved (specification, "database_type").
    private static let databaseType = "iprecord-City"

    /// - Parameter time: the time of the export.
    init(at time: WallTime) {
        builder = MMDBBuilder(
            MMDBMetadata(
                databaseType: Self.databaseType, description: ["en": "Records of iprecordd"], languages: ["en"],
                buildEpoch: Self.seconds(time.milliseconds)))
    }

    mutating func add(_ entry: Interface.Entry) throws(CommandError) {
        do {
            let address = try IPAddress(entry.address)
            let bits = UInt128(address.high) << 64 | UInt128(address.low)
            try builder.insert(value(of: entry), for: MMDBNetwork(address: bits, prefixLength: 128))
        } catch {
            throw CommandError(status: .software, message: "cannot export \(entry.address): \(error)")
        }
    }

    /// Returns the content of the file.
    mutating func finish() throws(CommandError) -> MMDBFile {
        do throws(MMDBError) {
            return try builder.finish()
        } catch {
            throw CommandError(status: .software, message: "cannot export the watch list: \(error)")
        }
    }

    private mutating func value(of entry: Interface.Entry) throws(MMDBError) -> MMDBValue {
        var own: [String: MMDBValue] = [
            "state": .string(entry.state), "tags": .array(entry.tags.map { .string($0) }),
        ]
        own["scanned_at"] = entry.scannedAt.map { .uint64(Self.seconds($0)) }
        own["proxy"] = entry.record?.proxy.map { .boolean($0) }
        own["hosting"] = entry.record?.hosting.map { .boolean($0) }
        var members: [String: MMDBValue] = [:]
        members.reserveCapacity(9)
        members["iprecord"] = .map(own)
        guard let record = entry.record else { return .map(members) }
        for (key, value) in try placeMembers(record.place.value) { members[key] = value }
        if let number = record.asn.flatMap(UInt32.init(exactly:)) {
            members["autonomous_system_number"] = .uint32(number)
            // "AS64496 Northwater": the rest is the name.
            let name = record.network.value.as?.drop { $0 != " " }.dropFirst() ?? ""
            if !name.isEmpty { members["autonomous_system_organization"] = .string(String(name)) }
        }
        var location: [String: MMDBValue] = [:]
        location["latitude"] = record.lat.map { .double($0) }
        location["longitude"] = record.lon.map { .double($0) }
        location["time_zone"] = text(record.place.value.timezone)
        if !location.isEmpty { members["location"] = .map(location) }
        if let code = text(record.zip) { members["postal"] = ["code": code] }
        return .map(members)
    }

    private mutating func placeMembers(_ place: Place) throws(MMDBError) -> [Member] {
        if let known = places[place] { return known }
        let region = Self.map(["iso_code": text(place.region), "names": Self.names(place.regionName)])
        let members: [(String, MMDBValue?)] = [
            ("city", Self.map(["names": Self.names(place.city)])),
            ("continent", Self.map(["code": text(place.continentCode), "names": Self.names(place.continent)])),
            ("country", Self.map(["iso_code": text(place.countryCode), "names": Self.names(place.country)])),
            ("subdivisions", region.map { [$0] }),
        ]
        var stored: [Member] = []
        for case (let key, let value?) in members { stored.append((key, try builder.store(value))) }
        if places.count >= Self.maxRemembered { places.removeAll(keepingCapacity: true) }
        places[place] = stored
        return stored
    }

    private func text(_ text: String?) -> MMDBValue? { text.map { .string($0) } }

    private static func names(_ name: String?) -> MMDBValue? { name.map { ["en": .string($0)] } }

    /// A map without the members that are nil; nil if there are no others.
    private static func map(_ members: [String: MMDBValue?]) -> MMDBValue? {
        let present = members.compactMapValues { $0 }
        return present.isEmpty ? nil : .map(present)
    }

    /// - Parameter milliseconds: a time of the wall clock since 1970; 0 stands for earlier ones.
    private static func seconds(_ milliseconds: Int64) -> UInt64 { UInt64(max(0, milliseconds / 1_000)) }
}
