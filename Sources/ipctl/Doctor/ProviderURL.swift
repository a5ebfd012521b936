import RecordKeeping

/// The parsed base URL of the provider: `http://ip-api.com`, `https://[2001:db8::1]:8443`.
struct ProviderURL: Hashable {
    let scheme: String
    /// The host in lower case, without the brackets of an IPv6 address.
    let host: String
    let port: Int

    static let freeHost = "ip-api.com"
    static let paidHost = "pro.ip-api.com"
    /// The default URL.
    static let defaultURL = "http://ip-api.com"

    /// - Returns: nil for a URL that the daemon does not accept.
    init?(_ text: String) {
        guard let separator = text.firstIndex(of: ":"), text[separator...].hasPrefix("://") else { return nil }
        scheme = text[..<separator].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        var rest = text[separator...].dropFirst(3)
        if rest.last == "/" { rest = rest.dropLast() }
        let isBracketed = rest.first == "["
        guard let end = isBracketed ? rest.firstIndex(of: "]") : rest.firstIndex(of: ":") ?? rest.endIndex else {
            return nil
        }
        let name = (isBracketed ? rest[..<end].dropFirst() : rest[..<end]).lowercased()
        host = name.hasSuffix(".") ? String(name.dropLast()) : name
        let after = isBracketed ? rest[end...].dropFirst() : rest[end...]
        guard !host.isEmpty, after.isEmpty || after.first == ":" else { return nil }
        guard let port = after.isEmpty ? (scheme == "http" ? 80 : 443) : Int(after.dropFirst()) else { return nil }
        self.port = port
    }

    /// The host as an address; nil if it is a name.
    var address: IPAddress? {
        // Any host that is not an address is a name, so the error does not matter.
        try? IPAddress(host)
    }
}
