/// The description of an MMDB file, for its readers.
package struct MMDBMetadata: Sendable {
    /// The structure of the values. Readers for GeoIP2 require names that contain the type, such as "City".
    package var databaseType: String
    /// Texts for people, by language code.
    package var description: [String: String]
    /// The language codes of localized names in the values.
    package var languages: [String]
    /// Seconds since 1970.
    package var buildEpoch: UInt64

    package init(databaseType: String, description: [String: String], languages: [String], buildEpoch: UInt64) {
        self.databaseType = databaseType
        self.description = description
        self.languages = languages
        self.buildEpoch = buildEpoch
    }

    /// Precedes the metadata. Readers search for its last occurrence; it is not valid UTF-8, so no string contains it.
    private static let marker: [UInt8] = [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)

    /// Returns the metadata section with its marker.
    func section(nodeCount: UInt32, recordSize: RecordSize) throws(MMDBError) -> [UInt8] {
        // The last member is not an empty map or array, which libmaxminddb before version 1.13.3 rejects there.
        let members: [String: MMDBValue] = [
            "binary_format_major_version": .uint16(2),
            "binary_format_minor_version": .uint16(0),
            "build_epoch": .uint64(buildEpoch),
            "database_type": .string(databaseType),
            "description": .map(description.mapValues { .string($0) }),
            "ip_version": .uint16(6),
            "languages": .array(languages.map { .string($0) }),
            "node_count": .uint32(nodeCount),
            "record_size": .uint16(UInt16(recordSize.rawValue)),
        ]
        var values = DataSection(isSharing: false)
        _ = try values.store(.map(members))
        let section = Self.marker + values.bytes.blocks.joined()
        guard section.count <= MMDBLimits.metadataBytes else { throw .metadataTooLarge(bytes: section.count) }
        return section
    }
}
