import CMaxMindDB
import Glibc
import NIOConcurrencyHelpers
import RecordKeeping

/// An MMDB file that is open for lookups: a copy of the file, which is released with the last reference.
///
/// `@unchecked Sendable`: `handle` and the mapped copy do not change between `init` and `deinit`, because the functions
/// of libmaxminddb that are called in between take a `const` handle.
final class OpenDatabase: @unchecked Sendable {
    let file: GeoDatabaseFile
    let identity: FileIdentity
    /// The digest of the whole file.
    let digest: ContentDigest
    private let handle: UnsafeMutablePointer<MMDB_s>
    private let mapping: FieldMapping
    private let cache = NIOLockedValueBox(FieldsCache())

    /// Copies a file into memory, and checks its metadata and its search tree.
    init(path: String, maxBytes: Int) throws(GeoDatabaseError) {
        let copy = try MemoryCopy(of: path, maxBytes: maxBytes)
        let metadata: MetadataSection
        do throws(MetadataSection.Invalid) {
            metadata = try MetadataSection(
                suffix: copy.suffix(MetadataSection.maxBytes), fileBytes: copy.byteCount)
        } catch {
            throw .invalid(path: path, reason: error.reason)
        }
        let handle = UnsafeMutablePointer<MMDB_s>.allocate(capacity: 1)
        handle.initialize(to: MMDB_s())
        let status = MMDB_open(copy.path, UInt32(MMDB_MODE_MMAP), handle)
        guard status == MMDB_SUCCESS else {
            let reason = Self.reason(status)
            handle.deallocate()
            switch status {
            case MMDB_FILE_OPEN_ERROR, MMDB_OUT_OF_MEMORY_ERROR, MMDB_IO_ERROR:
                throw .noMemory(path: path, reason: reason)
            default:
                throw .invalid(path: path, reason: reason)
            }
        }
        self.handle = handle
        identity = copy.identity
        var digest = ContentDigest(seed: 0)
        digest.add(UnsafeRawBufferPointer(start: handle.pointee.file_content, count: Int(handle.pointee.file_size)))
        self.digest = digest
        mapping = FieldMapping(DatabaseSchema.schemas(ofType: metadata.databaseType))
        file = GeoDatabaseFile(
            path: path, databaseType: metadata.databaseType, description: metadata.description,
            builtAt: metadata.builtAt, byteCount: copy.byteCount)
        try checkSearchTree()
    }

    deinit {
        MMDB_close(handle)
        handle.deallocate()
    }

    /// Returns the fields of an address, which are empty if the database does not contain the address.
    func fields(of address: IPAddress) throws(GeoDatabaseError) -> GeoFields {
        guard let offset = try offset(of: address) else { return GeoFields() }
        if let known = cache.withLockedValue({ $0[offset] }) { return known }
        let section = UnsafeBufferPointer(
            start: handle.pointee.data_section, count: Int(handle.pointee.data_section_size))
        do throws(DataProblem) {
            let values = try ValueReader.values(
                of: section.span, at: offset, paths: mapping.tree, pathCount: mapping.pathCount)
            let fields = GeoFields(values, mapping)
            cache.withLockedValue { $0.insert(fields, at: offset) }
            return fields
        } catch {
            throw .damaged(path: file.path, reason: "the data of \(address) is invalid: \(error)")
        }
    }

    /// Returns the offset of an address's data in the data section; nil if the database does not contain the address.
    private func offset(of address: IPAddress) throws(GeoDatabaseError) -> Int? {
        var status: Int32 = MMDB_SUCCESS
        let result = SocketAddress(address).withPointer { MMDB_lookup_sockaddr(handle, $0, &status) }
        switch status {
        case MMDB_SUCCESS: return result.found_entry ? Int(result.entry.offset) : nil
        case MMDB_IPV6_LOOKUP_IN_IPV4_DATABASE_ERROR: return nil
        default: throw .damaged(path: file.path, reason: Self.reason(status))
        }
    }

    /// Checks that each record of the search tree leads to a node, to the data section or nowhere. A partly downloaded
    /// file, with zeros instead of the missing parts, does not pass.
    private func checkSearchTree() throws(GeoDatabaseError) {
        var node = MMDB_search_node_s()
        let count = handle.pointee.metadata.node_count
        for number in 0..<count {
            let status = MMDB_read_node(handle, number, &node)
            guard status == MMDB_SUCCESS else { throw .invalid(path: file.path, reason: Self.reason(status)) }
            for (type, record) in [
                (node.left_record_type, node.left_record), (node.right_record_type, node.right_record),
            ] {
                // libmaxminddb does not check that no record points to the zero bytes before the data section.
                let isInSeparator = record > count && record < UInt64(count) + UInt64(MetadataSection.separatorBytes)
                guard type != MMDB_RECORD_TYPE_INVALID, !isInSeparator else {
                    throw .invalid(
                        path: file.path, reason: "node \(number) of the search tree leads out of the file")
                }
            }
        }
    }

    private static func reason(_ status: Int32) -> String { String(cString: MMDB_strerror(status)) }
}
