/// A hash table from addresses to slot indices, with linear probing (Knuth, The Art of Computer Programming, volume 3,
/// 6.4, algorithm L).
///
/// It stores only the indices. Each method takes a closure that returns the address at an index, so that addresses are
/// not stored twice.
struct AddressIndex: Sendable {
    /// A slot index in each occupied place, and `none` in each free one. The number of places is zero or a power of
    /// two, and at most two thirds of them are occupied.
    private var places: [Int32] = []
    private(set) var count = 0
    private static let none: Int32 = -1

    /// Returns the index of an address; nil if the table does not contain it.
    ///
    /// - Parameter address: returns the address at an index in the table.
    func index(of wanted: IPAddress, address: (Int) -> IPAddress) -> Int? {
        guard !places.isEmpty else { return nil }
        var place = home(of: wanted)
        while places[place] != Self.none {
            let index = Int(places[place])
            if address(index) == wanted { return index }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Inserts an index.
    ///
    /// - Parameters:
    ///   - index: an index that is not in the table, and whose address is not in the table either.
    ///   - address: returns the address at `index` and at each index in the table.
    mutating func insert(_ index: Int, address: (Int) -> IPAddress) {
        if (count + 1) * 3 > places.count * 2 { grow(to: max(16, places.count * 2), address: address) }
        put(index, address(index))
        count += 1
    }

    /// Removes an index.
    ///
    /// - Parameters:
    ///   - index: an index in the table.
    ///   - address: returns the address at each index in the table, including `index`.
    mutating func remove(_ index: Int, address: (Int) -> IPAddress) {
        var gap = home(of: address(index))
        while places[gap] != Int32(index) { gap = (gap + 1) & (places.count - 1) }
        count -= 1
        // Moves each of the following indices, up to the next free place, into the gap, unless the index's home place
        // is after the gap (algorithm R).
        var place = gap
        while true {
            places[gap] = Self.none
            repeat {
                place = (place + 1) & (places.count - 1)
                guard places[place] != Self.none else { return }
            } while stays(at: place, gap: gap, home: home(of: address(Int(places[place]))))
            places[gap] = places[place]
            gap = place
        }
    }

    /// - Parameter wanted: the total number of addresses to make room for.
    mutating func reserveCapacity(_ wanted: Int, address: (Int) -> IPAddress) {
        var size = max(16, places.count)
        while wanted * 3 > size * 2 { size *= 2 }
        if size > places.count { grow(to: size, address: address) }
    }

    /// Returns whether an index stays where it is: its home place is cyclically after the gap, and not after `place`.
    private func stays(at place: Int, gap: Int, home: Int) -> Bool {
        gap <= place ? gap < home && home <= place : gap < home || home <= place
    }

    private func home(of address: IPAddress) -> Int {
        // The hash is seeded per process, so that a client cannot choose addresses that collide.
        address.hashValue & (places.count - 1)
    }

    private mutating func put(_ index: Int, _ address: IPAddress) {
        var place = home(of: address)
        while places[place] != Self.none { place = (place + 1) & (places.count - 1) }
        places[place] = Int32(index)
    }

    private mutating func grow(to size: Int, address: (Int) -> IPAddress) {
        let old = places
        places = Array(repeating: Self.none, count: size)
        for index in old where index != Self.none { put(Int(index), address(Int(index))) }
    }
}
