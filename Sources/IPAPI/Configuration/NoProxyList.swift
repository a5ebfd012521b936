import RecordKeeping

/// The value of `no_proxy`: the hosts that are called directly although the environment names a proxy.
///
/// The rules are those of curl 8 (curl(1), "ENVIRONMENT", and `lib/noproxy.c`):
/// - The list is separated by commas; white space around an item is ignored. White space without a comma ends the list.
/// - `*` matches all hosts if it is the whole value.
/// - A name matches the host of the same name and all names below that domain. A leading dot and a final dot are
///   ignored, and so is the case.
/// - An address matches the same address, and `address/bits` a network. They are compared with a host that is an
///   address; a host's name is not resolved. Only here, `/0` matches all addresses of the family.
struct NoProxyList: Hashable, Sendable {
    private let matchesAll: Bool
    private let items: [Substring]

    init(_ text: String) {
        matchesAll = text == "*"
        var items: [Substring] = []
        for part in text.split(separator: ",") {
            let words = part.split { $0 == " " || $0 == "\t" }
            if let first = words.first { items.append(first) }
            if words.count > 1 { break }
        }
        self.items = items
    }

    /// Whether the list contains the host of a URL.
    func contains(_ url: BaseURL) -> Bool {
        if matchesAll { return true }
        guard let address = url.address else { return items.contains { Self.isDomain($0, of: url.host) } }
        return items.contains { Self.contains($0, address) }
    }

    /// - Parameter host: a name in lower case without a final dot.
    private static func isDomain(_ item: Substring, of host: String) -> Bool {
        var name = item.lowercased()[...]
        if name.last == "." { name.removeLast() }
        if name.first == "." { name.removeFirst() }
        guard !name.isEmpty else { return false }
        return host == name || host.hasSuffix(".\(name)")
    }

    /// Whether an item is this address or a network that contains it.
    private static func contains(_ item: Substring, _ address: IPAddress) -> Bool {
        let parts = item.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // An item that is a name does not match an address.
        guard let network = try? IPAddress(parts[0]), network.family == address.family else { return false }
        guard parts.count == 2 else { return network == address }
        let width = network.networkOrder.count * 8
        guard let bits = Int(parts[1]), (0...width).contains(bits) else { return false }
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        let (one, other) = (Array(network.networkOrder), Array(address.networkOrder))
        guard one[..<whole] == other[..<whole] else { return false }
        return rest == 0 || (one[whole] ^ other[whole]) >> (8 - rest) == 0
    }
}
