import JSON
import MMDBWriter
import RecordKeeping

/// Collects entries for an MMDB file, with the fields that `docs/mmdb.md` describes.
///
/// Values that many entries share are stored once, and are found again by their bytes in the daemon's replies.
struct MMDBExport {
    /// A page of the watch list.
    struct Page: ContinuablePage {
        fileprivate(set) var entries: [(network: MMDBNetwork, value: MMDBValue)] = []
        fileprivate(set) var next: String?
        fileprivate(set) var total = 0
    }

    private var builder: MMDBBuilder
    private var names = EntryNames()
    private var systems = StoredParts<StoredMembers>(maximum: 1 << 14)
    private var places = StoredParts<StoredPlace>(maximum: 1 << 14)
    private var postalCodes = StoredParts<StoredMembers>(maximum: 1 << 15)
    private var labels = StoredParts<StoredMembers>(maximum: 1 << 12)
    private var owns = StoredParts<StoredMembers>(maximum: 1 << 13)
    private var locationKeys: LocationKeys?

    /// The fields are those of GeoIP2 City and more; libraries for GeoIP2 require "City" in the name. Names that begin
    /// with "GeoIP" are reserved (specification, "database_type").
    private static let databaseType = "iprecord-City"

    /// - Parameters:
    ///   - time: the time of the export.
    ///   - maxNodesAndBytes: the size limit; tests use a smaller one.
    init(at time: WallTime, maxNodesAndBytes: Int = MMDBLimits.nodesAndBytes) {
        builder = MMDBBuilder(
            MMDBMetadata(
                databaseType: Self.databaseType, description: ["en": "Records of iprecordd"], languages: ["en"],
                buildEpoch: Self.seconds(time.milliseconds)),
            maxNodesAndBytes: maxNodesAndBytes)
    }

    /// Adds the entries of a page.
    mutating func add(_ page: Page) throws(CommandError) {
        do throws(MMDBError) {
            for entry in page.entries { try builder.insert(entry.value, for: entry.network) }
        } catch {
            throw Self.failure("the watch list", error)
        }
    }

    /// Returns the content of the file.
    mutating func finish() throws(CommandError) -> MMDBFile {
        do throws(MMDBError) {
            return try builder.finish()
        } catch {
            throw Self.failure("the watch list", error)
        }
    }

    private static func failure(_ object: String, _ error: any Error) -> CommandError {
        CommandError(status: .software, message: "cannot export \(object): \(error)")
    }

    // MARK: Reading

    /// Reads a page of the watch list, for `add`.
    ///
    /// - Parameters:
    ///   - scanner: reads the parameters of a reply to `List`.
    ///   - begin: called with the cursor of the next page, as soon as it has been read.
    mutating func page(_ scanner: inout JSONScanner, begin: (String) -> Void) throws(CommandError) -> Page {
        do {
            return try readPage(&scanner, begin)
        } catch let error as CommandError {
            throw error
        } catch let error as MMDBError {
            throw Self.failure("the watch list", error)
        } catch {
            throw .unreadableReply
        }
    }

    private mutating func readPage(_ scanner: inout JSONScanner, _ begin: (String) -> Void) throws -> Page {
        var page = Page()
        try scanner.beginObject()
        while let name = try scanner.nextName() {
            if scanner.text(name, is: "entries") {
                try scanner.beginArray()
                while try scanner.nextElement() {
                    let entry = try ScannedEntry(&scanner, names: &names)
                    page.entries.append((try Self.network(of: entry, in: scanner), try value(of: entry, in: scanner)))
                }
            } else if scanner.text(name, is: "next"), try scanner.kind() == .string {
                let next = scanner.string(of: try scanner.string())
                begin(next)
                page.next = next
            } else if scanner.text(name, is: "total") {
                page.total = Int(try scanner.number().int64 ?? 0)
            } else {
                try scanner.skip()
            }
        }
        return page
    }

    private static func network(of entry: ScannedEntry, in scanner: JSONScanner) throws(CommandError) -> MMDBNetwork {
        guard let text = entry.address else { throw .unreadableReply }
        do {
            let plain = scanner.withBytes(of: text, IPAddress.init(plain:))
            let address = try plain ?? IPAddress(scanner.string(of: text))
            let bits = UInt128(address.high) << 64 | UInt128(address.low)
            return try MMDBNetwork(address: bits, prefixLength: 128)
        } catch {
            throw failure("\"\(scanner.string(of: text))\"", error)
        }
    }

    // MARK: Values

    private mutating func value(of entry: ScannedEntry, in scanner: JSONScanner) throws -> MMDBValue {
        let system = try system(of: entry, in: scanner)
        let place = try place(of: entry, in: scanner)
        let own = try own(of: entry, in: scanner)
        let postalCode = try postalCode(of: entry, in: scanner)
        let keys = try LocationKeys(known: locationKeys, in: &builder)
        locationKeys = keys
        let location = try location(of: entry, in: place.zone, keys, scanner)
        builder.beginMembers()
        // In the order of the keys.
        try builder.appendMembers(system)
        try builder.appendMembers(place.city)
        try builder.appendMembers(place.country)
        try builder.appendMembers(own)
        if let location { try builder.appendMember(keys.location, location) }
        try builder.appendMembers(postalCode)
        try builder.appendMembers(place.region)
        guard let value = try builder.endMap() else { throw CommandError.unreadableReply }
        return value
    }

    /// Returns the members of the autonomous system: its number and its name.
    private mutating func system(of entry: ScannedEntry, in scanner: JSONScanner) throws(MMDBError) -> StoredMembers {
        systems.begin()
        systems.append(entry.as, in: scanner)
        if let known = systems.known { return known }
        var network = Network()
        network.as = entry.as.map { scanner.string(of: $0) }
        let number = network.asn.flatMap(UInt32.init(exactly:))
        // "AS64496 Northwater": the rest is the name.
        let name = number == nil ? "" : network.as?.drop { $0 != " " }.dropFirst() ?? ""
        return systems.remember(
            try builder.store(members: [
                "autonomous_system_number": number.map { .uint32($0) },
                "autonomous_system_organization": name.isEmpty ? nil : .string(String(name)),
            ]))
    }

    /// Returns the members that describe a place. Thousands of entries have the same ones.
    private mutating func place(of entry: ScannedEntry, in scanner: JSONScanner) throws(MMDBError) -> StoredPlace {
        places.begin()
        places.append(entry.placeMembers, in: scanner)
        places.append(entry.timezone, in: scanner)
        if let known = places.known { return known }
        let city = try map(["names": try names(entry.city, in: scanner)])
        let continent = try map([
            "code": Self.text(entry.continentCode, in: scanner), "names": try names(entry.continent, in: scanner),
        ])
        let country = try map([
            "iso_code": Self.text(entry.countryCode, in: scanner), "names": try names(entry.country, in: scanner),
        ])
        let region = try map([
            "iso_code": Self.text(entry.region, in: scanner), "names": try names(entry.regionName, in: scanner),
        ])
        return places.remember(
            StoredPlace(
                city: try builder.store(members: ["city": city]),
                country: try builder.store(members: ["continent": continent, "country": country]),
                region: try builder.store(members: ["subdivisions": region.map { [$0] }]),
                zone: try builder.store(members: ["time_zone": Self.text(entry.timezone, in: scanner)])))
    }

    /// Returns the member `postal`.
    private mutating func postalCode(
        of entry: ScannedEntry, in scanner: JSONScanner
    ) throws(MMDBError) -> StoredMembers {
        postalCodes.begin()
        postalCodes.append(entry.zip, in: scanner)
        if let known = postalCodes.known { return known }
        let postal = try map(["code": Self.text(entry.zip, in: scanner)])
        return postalCodes.remember(try builder.store(members: ["postal": postal]))
    }

    /// Returns the value of the member `location`. Few addresses share their coordinates.
    private mutating func location(
        of entry: ScannedEntry, in zone: StoredMembers, _ keys: LocationKeys, _ scanner: JSONScanner
    ) throws(MMDBError) -> MMDBValue? {
        builder.beginMembers()
        if let lat = entry.lat, let degrees = scanner.double(of: lat) {
            try builder.appendMember(keys.latitude, .double(degrees))
        }
        if let lon = entry.lon, let degrees = scanner.double(of: lon) {
            try builder.appendMember(keys.longitude, .double(degrees))
        }
        try builder.appendMembers(zone)
        return try builder.endMap()
    }

    /// Returns the member `iprecord`, which all addresses with the same tags in one call to the provider share.
    private mutating func own(of entry: ScannedEntry, in scanner: JSONScanner) throws -> StoredMembers {
        guard let state = entry.state, let range = entry.tags else { throw CommandError.unreadableReply }
        owns.begin()
        owns.append(state, in: scanner)
        owns.append(range, in: scanner)
        owns.append(entry.scannedAt?.range, in: scanner)
        owns.append(entry.proxy)
        owns.append(entry.hosting)
        if let known = owns.known { return known }
        let scan = try builder.store(members: [
            "hosting": entry.hosting.map { .boolean($0) },
            "proxy": entry.proxy.map { .boolean($0) },
            "scanned_at": entry.scannedAt?.int64.map { .uint64(Self.seconds($0)) },
        ])
        let own = MMDBValue.members([scan, try labels(state, range, in: scanner)])
        return owns.remember(try builder.store(members: ["iprecord": own]))
    }

    /// Returns the members `state` and `tags` of `iprecord`.
    ///
    /// - Parameter tags: the place of the array.
    private mutating func labels(
        _ state: JSONText, _ tags: Range<Int>, in scanner: JSONScanner
    ) throws -> StoredMembers {
        labels.begin()
        labels.append(state, in: scanner)
        labels.append(tags, in: scanner)
        if let known = labels.known { return known }
        var (inner, elements): (JSONScanner, [MMDBValue]) = (scanner.value(in: tags), [])
        try inner.beginArray()
        while try inner.nextElement() { elements.append(.string(inner.string(of: try inner.string()))) }
        let members = try builder.store(members: ["state": Self.text(state, in: scanner), "tags": .array(elements)])
        return labels.remember(members)
    }

    private static func text(_ text: JSONText?, in scanner: JSONScanner) -> MMDBValue? {
        text.map { .string(scanner.string(of: $0)) }
    }

    /// Returns the names of a place by language. The provider's records are in English.
    private mutating func names(_ name: JSONText?, in scanner: JSONScanner) throws(MMDBError) -> MMDBValue? {
        try map(["en": Self.text(name, in: scanner)])
    }

    /// Returns a map without the members that are nil; nil if there are no others.
    private mutating func map(_ members: KeyValuePairs<String, MMDBValue?>) throws(MMDBError) -> MMDBValue? {
        let present = try builder.store(members: members)
        return present.isEmpty ? nil : .members([present])
    }

    /// - Parameter milliseconds: a time of the wall clock since 1970; 0 stands for earlier ones.
    private static func seconds(_ milliseconds: Int64) -> UInt64 { UInt64(max(0, milliseconds / 1_000)) }
}

/// The members that describe a place.
private struct StoredPlace {
    /// The member `city`.
    let city: StoredMembers
    /// The members `continent` and `country`.
    let country: StoredMembers
    /// The member `subdivisions`.
    let region: StoredMembers
    /// The member `time_zone` of `location`.
    let zone: StoredMembers
}

/// The keys of the member `location`, which is made for each address.
private struct LocationKeys {
    let location: StoredKey
    let latitude: StoredKey
    let longitude: StoredKey

    init(known: Self?, in builder: inout MMDBBuilder) throws(MMDBError) {
        if let known {
            self = known
            return
        }
        location = try builder.store(key: "location")
        latitude = try builder.store(key: "latitude")
        longitude = try builder.store(key: "longitude")
    }
}
