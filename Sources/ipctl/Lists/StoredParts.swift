import JSON
import MMDBWriter

/// A cache of members in an MMDB file, by the bytes of a reply from which they were made. Frequent values are found
/// without being decoded, encoded and compared again.
///
///     parts.begin()
///     parts.append(entry.city, in: scanner)
///     if let known = parts.known { return known }
///     …
///     return parts.remember(members)
///
/// The cache is direct-mapped: the hash of a key determines its place, and a new value replaces the old one there.
struct StoredParts {
    private struct Known {
        let key: [UInt8]
        let members: StoredMembers
    }

    private var places: [Known?]
    private var key: [UInt8] = []

    /// - Parameter maximum: the number of keys; a power of two. A key takes about 200 bytes with its members.
    init(maximum: Int) {
        precondition(maximum > 0 && maximum & (maximum - 1) == 0, "the number of keys must be a power of two")
        places = Array(repeating: nil, count: maximum)
    }

    /// Begins a key.
    mutating func begin() { key.removeAll(keepingCapacity: true) }

    /// Appends a text as it is spelled, and a separator that JSON strings cannot contain (RFC 8259, section 7).
    mutating func append(_ text: JSONText?, in scanner: JSONScanner) { append(text?.range, in: scanner) }

    /// Appends a value as it is spelled.
    mutating func append(_ range: Range<Int>?, in scanner: JSONScanner) {
        guard let range else { return key.append(1) }
        _ = scanner.withBytes(in: range) { key.append(contentsOf: $0) }
        key.append(0)
    }

    mutating func append(_ flag: Bool?) { key.append(flag.map { $0 ? 3 : 2 } ?? 1) }

    /// The members for the key.
    var known: StoredMembers? {
        guard let found = places[place], found.key == key else { return nil }
        return found.members
    }

    /// Stores members for the key, and returns them.
    mutating func remember(_ members: StoredMembers) -> StoredMembers {
        // A copy, without the spare capacity of the buffer.
        places[place] = Known(key: key.withUnsafeBytes { Array($0) }, members: members)
        return members
    }

    private var place: Int {
        var hasher = Hasher()
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize() & (places.count - 1)
    }
}
