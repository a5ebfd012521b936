package import RecordKeeping

/// The description of an open MMDB file.
package struct GeoDatabaseFile: Hashable, Sendable {
    package let path: String
    /// The type in the metadata, such as "GeoLite2-City"; never empty.
    package let databaseType: String
    /// The English description in the metadata, or the first one if there is no English one.
    package let description: String?
    package let builtAt: WallTime
    /// Size of the copy in memory, in bytes.
    package let byteCount: Int
}
