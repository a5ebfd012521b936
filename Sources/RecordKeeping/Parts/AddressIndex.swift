/// Finds the number of an address: a hash table with linear probing (Knuth, The Art of Computer Programming, volume 3, 6.4,
/// algorithm L), which holds numbers only. The addresses stand where the numbers lead, and are not kept twice.
struct AddressIndex: Sendable {
    /// A number, or `none`. As many as a power of two, and never more than two thirds taken.
    private var places: [Int32] = []
    private(set) var count = 0
    private static let none: Int32 = -1

    /// - Parameter address: of a number that is in here.
    func number(of wanted: IPAddress, address: (Int) -> IPAddress) -> Int? {
        guard !places.isEmpty else { return nil }
        var place = home(of: wanted)
        while places[place] != Self.none {
            let number = Int(places[place])
            if address(number) == wanted { return number }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// - Parameter number: not in here yet, and neither is its address.
    mutating func insert(_ number: Int, address: (Int) -> IPAddress) {
        if (count + 1) * 3 > places.count * 2 { grow(to: max(16, places.count * 2), address: address) }
        put(number, address(number))
        count += 1
    }

    /// - Parameter number: in here; `address` still knows it.
    mutating func remove(_ number: Int, address: (Int) -> IPAddress) {
        var gap = home(of: address(number))
        while places[gap] != Int32(number) { gap = (gap + 1) & (places.count - 1) }
        count -= 1
        // Whoever stands behind the gap moves up, unless that puts it before its home (algorithm R).
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

    mutating func reserveCapacity(_ wanted: Int, address: (Int) -> IPAddress) {
        var size = max(16, places.count)
        while wanted * 3 > size * 2 { size *= 2 }
        if size > places.count { grow(to: size, address: address) }
    }

    /// The home lies cyclically after the gap, up to the place itself.
    private func stays(at place: Int, gap: Int, home: Int) -> Bool {
        gap <= place ? gap < home && home <= place : gap < home || home <= place
    }

    private func home(of address: IPAddress) -> Int {
        // Seeded by the process, so that nobody can choose addresses that collide.
        address.hashValue & (places.count - 1)
    }

    private mutating func put(_ number: Int, _ address: IPAddress) {
        var place = home(of: address)
        while places[place] != Self.none { place = (place + 1) & (places.count - 1) }
        places[place] = Int32(number)
    }

    private mutating func grow(to size: Int, address: (Int) -> IPAddress) {
        let old = places
        places = Array(repeating: Self.none, count: size)
        for number in old where number != Self.none { put(Int(number), address(Int(number))) }
    }
}
