import JSON
import RecordKeeping

/// The names of the members of entries and of their records. Similar entries have the same members in the same order,
/// so a name is first compared with the one that followed the previous member.
struct EntryNames {
    /// The members of a fresh entry, in the order in which the daemon writes them. `ScannedEntry` reads some of them.
    enum Member: String, CaseIterable {
        case address, state, watched, origin, pinned, tags, record, provider, scannedAt, expiresAt, changedAt
    }

    private var members = OrderedNames(Member.allCases)
    private var fields = OrderedNames(Record.Field.allCases)

    /// Returns the member of an entry with a name; nil for other names.
    mutating func member(_ name: JSONText, in scanner: JSONScanner) -> Member? { members.value(of: name, in: scanner) }

    /// Returns the field of a record with a name; nil for other names.
    mutating func field(_ name: JSONText, in scanner: JSONScanner) -> Record.Field? {
        fields.value(of: name, in: scanner)
    }
}

/// Values with their names, in the order in which they probably occur.
private struct OrderedNames<Value: RawRepresentable> where Value.RawValue == String {
    private let values: [Value]
    private let codes: [UInt128]
    /// The place of the value that probably comes next.
    private var next = 0

    init(_ values: [Value]) {
        self.values = values
        codes = values.map { value in
            var name = value.rawValue
            return name.withUTF8 { Self.code(of: $0) }
        }
    }

    mutating func value(of name: JSONText, in scanner: JSONScanner) -> Value? {
        let code: UInt128
        if name.hasEscapes {
            var name = scanner.string(of: name)
            code = name.withUTF8 { Self.code(of: $0) }
        } else {
            code = scanner.withBytes(of: name) { Self.code(of: $0) }
        }
        var place = next
        for _ in codes {
            if codes[place] == code {
                next = following(place)
                return values[place]
            }
            place = following(place)
        }
        return nil
    }

    private func following(_ place: Int) -> Int { place + 1 == values.count ? 0 : place + 1 }

    /// The bytes of a name as a number; 0 for an empty name, and for one longer than all names of the interface.
    @inline(__always)
    private static func code(of name: UnsafeBufferPointer<UInt8>) -> UInt128 {
        let (bytes, count) = (UnsafeRawBufferPointer(name), name.count)
        guard count <= 16 else { return 0 }
        guard count >= 8 else {
            return UInt128(bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
        }
        // The first eight bytes and the last eight, which overlap.
        let first = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        let last = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
        return UInt128(last) << UInt128(8 * (count - 8)) | UInt128(first)
    }
}
