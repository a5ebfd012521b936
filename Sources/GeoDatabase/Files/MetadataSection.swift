import RecordKeeping

/// The metadata of an MMDB file, decoded before libmaxminddb reads it.
///
/// libmaxminddb 1.7 calculates the size of the search tree in 32 bits, recurses once per level of nested maps, and
/// decodes shared maps again and again. Only metadata that cannot cause damage there passes this check.
struct MetadataSection {
    let databaseType: String
    let description: String?
    let builtAt: WallTime
    let nodeCount: UInt32
    /// Size of the search tree in bytes.
    let treeBytes: Int

    /// Precedes the metadata. Readers search for its last occurrence (specification, "Database Metadata").
    private static let marker: [UInt8] = [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)
    /// Maximum size of the metadata with its marker, in bytes (specification).
    static let maxBytes = 131_072
    /// The zero bytes between the search tree and the data section.
    static let separatorBytes = 16

    private static let paths = ["database_type", "description.*", "build_epoch", "node_count", "record_size"]
    private static let tree = PathTree(paths)
    /// The last second of the year 9999.
    private static let maxBuildEpoch: UInt64 = 253_402_300_799

    /// A reason for which the metadata is refused, without the path of the file.
    struct Invalid: Error, Hashable {
        let reason: String
    }

    /// - Parameters:
    ///   - suffix: the last bytes of the file, at most `maxBytes`.
    ///   - fileBytes: the size of the file in bytes.
    init(suffix: [UInt8], fileBytes: Int) throws(Invalid) {
        guard let start = Self.start(in: suffix) else {
            throw Invalid(reason: "there is no metadata at the end of the file; it may be truncated")
        }
        let values: [FoundValue?]
        do throws(DataProblem) {
            let section = suffix.span.extracting(start..<suffix.count)
            values = try ValueReader.values(
                of: section, at: 0, paths: Self.tree, pathCount: Self.paths.count, isComplete: true)
        } catch {
            throw Invalid(reason: "metadata: \(error)")
        }
        guard case .string(let text) = values[0], let type = UntrustedText(text).field else {
            throw Invalid(reason: "metadata: database_type is missing or is not text")
        }
        databaseType = type
        if case .string(let text) = values[1] { description = UntrustedText(text).field } else { description = nil }
        guard case .unsigned(let epoch) = values[2], (1...Self.maxBuildEpoch).contains(epoch) else {
            throw Invalid(reason: "metadata: build_epoch is missing or out of range")
        }
        builtAt = WallTime(milliseconds: Int64(epoch) * 1_000)
        guard case .unsigned(let nodes) = values[3], let nodeCount = UInt32(exactly: nodes), nodeCount > 0 else {
            throw Invalid(reason: "metadata: node_count is missing or out of range")
        }
        self.nodeCount = nodeCount
        guard case .unsigned(let bits) = values[4], [24, 28, 32].contains(bits) else {
            throw Invalid(reason: "metadata: record_size is missing, or is not 24, 28 or 32")
        }
        // At most 2^32 nodes of 8 bytes.
        treeBytes = Int(nodeCount) * Int(bits) * 2 / 8
        guard treeBytes + Self.separatorBytes <= fileBytes else {
            throw Invalid(reason: "the search tree of \(nodeCount) nodes is larger than the file; it may be truncated")
        }
    }

    /// Returns the index after the last marker.
    private static func start(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= marker.count else { return nil }
        let indices = (0...bytes.count - marker.count).reversed()
        let last = indices.first { bytes[$0] == marker[0] && bytes[$0..<$0 + marker.count].elementsEqual(marker) }
        return last.map { $0 + marker.count }
    }
}
