/// The limits of the format and of its readers.
package enum MMDBLimits {
    /// Maximum number of nested maps and arrays.
    ///
    /// libmaxminddb gives up after 512 steps, of which a nested map takes two: the pointer and the map. The reader in
    /// Python takes four calls per map, out of the thousand that Python permits.
    package static let depth = 128
    /// Maximum number of values in the value of a network, with keys, elements and itself: the limit that libmaxminddb
    /// has had since version 1.14, and that of the reader in Python.
    package static let valuesPerNetwork = 65_536
    /// Maximum size in bytes of all strings and keys in the value of a network: the limit of the same readers. The
    /// format permits 16,843,036 bytes per string.
    package static let textBytesPerNetwork = 2_097_152
    /// Maximum size of the metadata section in bytes, with its marker (specification, "Database Metadata").
    package static let metadataBytes = 131_072
    /// Maximum of the sum of nodes and of bytes after the search tree. libmaxminddb before version 1.13 adds these
    /// numbers in 32 bits. Tree records and pointers have at most 32 bits as well.
    package static let nodesAndBytes = Int(UInt32.max)
}
