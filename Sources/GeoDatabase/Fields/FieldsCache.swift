/// The fields of the values that were decoded last, by their offset in the data section. Networks of one place share a
/// value, so a list of addresses has far fewer values than addresses.
///
/// The cache is direct-mapped: each offset has one slot, and a new value replaces the old one there, so the cache never
/// grows.
struct FieldsCache {
    private var slots: [(offset: Int, fields: GeoFields)?] = []

    /// Number of slots: a few megabytes per database.
    private static let slotCount = 1 << 12
    private static let indexShift = UInt64.bitWidth - 12

    /// The fields of the value at an offset; nil if they are not cached.
    subscript(offset: Int) -> GeoFields? {
        guard !slots.isEmpty, let slot = slots[Self.index(of: offset)], slot.offset == offset else { return nil }
        return slot.fields
    }

    mutating func insert(_ fields: GeoFields, at offset: Int) {
        if slots.isEmpty { slots = Array(repeating: nil, count: Self.slotCount) }
        slots[Self.index(of: offset)] = (offset, fields)
    }

    /// Offsets are not evenly distributed, because values have similar sizes.
    private static func index(of offset: Int) -> Int {
        Int((UInt64(truncatingIfNeeded: offset) &* 0x9E37_79B9_7F4A_7C15) >> indexShift)
    }
}
