import CMaxMindDB
import Glibc
import MMDBReading

/// A database that libmaxminddb reads from a temporary file without a name.
final class DatabaseFile {
    struct Failure: Error {
        let description: String
    }

    private var database = MMDB_s()

    init(_ bytes: [UInt8]) throws(Failure) {
        guard let file = tmpfile() else { throw Failure(description: "cannot create a temporary file: \(errno)") }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else {
            throw Failure(description: "cannot write a temporary file: \(errno)")
        }
        try Self.check(MMDB_open("/proc/self/fd/\(fileno(file))", UInt32(MMDB_MODE_MMAP), &database), "open")
    }

    deinit { MMDB_close(&database) }

    private static func check(_ status: CInt, _ action: String) throws(Failure) {
        guard status == MMDB_SUCCESS else {
            throw Failure(description: "\(action): \(String(cString: MMDB_strerror(status)))")
        }
    }

    /// Returns the value of an address in the form of `MMDBTestReader`, and the number of bits that led to it.
    func lookUp(_ address: UInt128) throws(Failure) -> (value: MMDBTestReader.Text?, prefixLength: Int) {
        var socketAddress = sockaddr_in6()
        socketAddress.sin6_family = sa_family_t(AF_INET6)
        withUnsafeMutableBytes(of: &socketAddress.sin6_addr) { bytes in
            withUnsafeBytes(of: address.bigEndian) { bytes.copyBytes(from: $0) }
        }
        var status: CInt = 0
        var result = withUnsafePointer(to: socketAddress) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { MMDB_lookup_sockaddr(&database, $0, &status) }
        }
        try Self.check(status, "look up")
        guard result.found_entry else { return (nil, Int(result.netmask)) }
        var list: UnsafeMutablePointer<MMDB_entry_data_list_s>?
        defer { MMDB_free_entry_data_list(list) }
        try Self.check(MMDB_get_entry_data_list(&result.entry, &list), "read")
        var next = list
        return (try Self.text(&next), Int(result.netmask))
    }

    /// Returns the text of the first value of a list, and removes the value from the list.
    private static func text(
        _ list: inout UnsafeMutablePointer<MMDB_entry_data_list_s>?
    ) throws(Failure) -> MMDBTestReader.Text {
        guard let data = list?.pointee.entry_data else { throw Failure(description: "a value is missing") }
        list = list?.pointee.next
        switch CInt(data.type) {
        case MMDB_DATA_TYPE_UTF8_STRING:
            let bytes = UnsafeRawBufferPointer(start: data.utf8_string, count: Int(data.data_size))
            return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
        case MMDB_DATA_TYPE_DOUBLE: return "f:" + String(data.double_value.bitPattern, radix: 16)
        case MMDB_DATA_TYPE_UINT16: return "u16:\(data.uint16)"
        case MMDB_DATA_TYPE_UINT32: return "u32:\(data.uint32)"
        case MMDB_DATA_TYPE_UINT64: return "u64:\(data.uint64)"
        case MMDB_DATA_TYPE_BOOLEAN: return "\(data.boolean)"
        case MMDB_DATA_TYPE_MAP:
            var members: [String] = []
            for _ in 0..<data.data_size {
                let key = try text(&list)
                members.append(String(key.dropFirst().dropLast()) + "=" + (try text(&list)))
            }
            return "{" + members.joined(separator: ",") + "}"
        case MMDB_DATA_TYPE_ARRAY:
            var elements: [String] = []
            for _ in 0..<data.data_size { elements.append(try text(&list)) }
            return "[" + elements.joined(separator: ",") + "]"
        default: throw Failure(description: "unknown type \(data.type)")
        }
    }
}
