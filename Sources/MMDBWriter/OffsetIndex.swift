/// A hash table of the values in the data section, with eight bytes per slot. It holds the offsets of the values, not
/// their bytes.
///
/// The table is divided into parts that grow one at a time, so that growing takes little memory.
struct OffsetIndex {
    private struct Slot {
        var hash: UInt32
        /// The offset of the value plus one; 0 for an empty slot.
        var position: UInt32
    }

    private struct Part {
        var slots = [Slot](repeating: Slot(hash: 0, position: 0), count: 16)
        var count = 0

        /// Returns the index of the first slot that is empty or satisfies the predicate, from the slot of a hash on.
        @inline(__always)
        func index(for hash: UInt32, where predicate: (Slot) -> Bool) -> Int {
            var index = Int(hash) & (slots.count - 1)
            while slots[index].position != 0, !predicate(slots[index]) { index = (index + 1) & (slots.count - 1) }
            return index
        }

        mutating func insert(_ slot: Slot) {
            // At most three quarters of the slots are in use.
            if count * 4 >= slots.count * 3 {
                let old = slots
                slots = [Slot](repeating: Slot(hash: 0, position: 0), count: old.count * 2)
                for slot in old where slot.position != 0 { slots[index(for: slot.hash) { _ in false }] = slot }
            }
            slots[index(for: slot.hash) { _ in false }] = slot
            count += 1
        }
    }

    /// One part for each value of the six most significant bits of a hash.
    private var parts = [Part](repeating: Part(), count: 1 << 6)

    /// Returns the offset of a value.
    ///
    /// - Parameter isEqual: whether the value at an offset is this value.
    func offset(hash: UInt32, isEqual: (UInt32) -> Bool) -> UInt32? {
        let part = parts[Int(hash >> 26)]
        let slot = part.slots[part.index(for: hash) { $0.hash == hash && isEqual($0.position - 1) }]
        return slot.position == 0 ? nil : slot.position - 1
    }

    /// Adds a value that is not in the table.
    mutating func insert(hash: UInt32, offset: UInt32) {
        parts[Int(hash >> 26)].insert(Slot(hash: hash, position: offset + 1))
    }
}
