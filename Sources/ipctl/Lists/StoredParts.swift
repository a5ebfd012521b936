import JSON
import MMDBWriter

/// A cache of values stored in an MMDB file, keyed by the bytes of the reply from which they were made. Frequent values
/// are found without being decoded, encoded and compared again.
///
///     cities.begin()
///     cities.append(entry.city, in: scanner)
///     if let known = cities.known { return known }
///     …
///     return cities.remember(members)
///
/// The cache is a table of small sets. The hash of a key determines the set; if the set is full, a new value replaces
/// another one there.
struct StoredParts<Value> {
    private struct Known {
        let key: [UInt8]
        let value: Value
    }

    /// The number of slots in a set.
    private static var setSize: Int { 4 }

    private var slots: [Known?]
    private var key: [UInt8] = []
    /// The number of values stored so far, which determines the slot of a full set that is replaced.
    private var stored = 0

    /// - Parameter maximum: the number of keys; a power of two, at least 4. A key and its value typically take 200 to
    ///   700 bytes.
    init(maximum: Int) {
        precondition(
            maximum >= Self.setSize && maximum & (maximum - 1) == 0, "the number of keys must be a power of two")
        slots = Array(repeating: nil, count: maximum)
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

    /// The value for the key.
    var known: Value? {
        for slot in keySet {
            guard let known = slots[slot] else { return nil }
            if isKey(known.key) { return known.value }
        }
        return nil
    }

    /// Stores a value for the key, and returns it.
    mutating func remember(_ value: Value) -> Value {
        let set = keySet
        let slot = set.first { slots[$0] == nil } ?? set.lowerBound + stored % Self.setSize
        stored += 1
        // A copy, without the spare capacity of the buffer.
        slots[slot] = Known(key: key.withUnsafeBytes { Array($0) }, value: value)
        return value
    }

    private func isKey(_ other: [UInt8]) -> Bool {
        key.withUnsafeBytes { key in other.withUnsafeBytes { key.hasSameBytes(as: $0) } }
    }

    /// The slots of the key's set. To hash the key, eight bytes at a time are multiplied by a large odd number (Knuth,
    /// TAOCP volume 3, section 6.4). Collisions cost time, not memory.
    private var keySet: Range<Int> {
        key.withUnsafeBytes { key in
            var (hash, offset) = (UInt64(key.count), 0)
            func mix(_ word: UInt64) {
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 32
            }
            while offset + 8 <= key.count {
                mix(key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            while offset < key.count {
                mix(UInt64(key[offset]))
                offset += 1
            }
            let first = Int(truncatingIfNeeded: hash) & (slots.count - Self.setSize)
            return first..<first + Self.setSize
        }
    }
}
