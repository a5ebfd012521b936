/// The base URL of a provider: `http://ip-api.com`, `https://[2001:db8::1]:8443`.
///
/// The grammar is that of RFC 3986, restricted to `scheme://host[:port][/]`.
package struct BaseURL: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable {
        case http
        case https

        /// The port of URLs without an explicit one (RFC 9110 §4.2).
        var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// The reason why a text is not a base URL, and what is expected instead. Each mistake has its own description.
    package struct Invalid: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// The host of the free tier, the only one with documented limits.
    package static let freeHost = "ip-api.com"
    /// The host for paying customers, which has TLS and no limits.
    package static let paidHost = "pro.ip-api.com"

    package let scheme: Scheme
    /// A host name in lower case without a final dot, or an IP address without brackets.
    package let host: String
    /// The port; nil for the scheme's default port, even if that was given explicitly.
    package let port: Int?

    package init(_ text: String) throws(Invalid) {
        guard text.utf8.count <= 512, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Invalid(
                "expected a URL of at most 512 ASCII characters without white space, such as http://ip-api.com")
        }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw Invalid("expected a URL that begins with http:// or https://, such as http://ip-api.com")
        }
        guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else {
            throw Invalid("unknown scheme \"\(text[..<colon])\"; expected http or https")
        }
        let rest = text[colon...].dropFirst(3)
        let end = rest.firstIndex(where: { "/?#\\".contains($0) }) ?? rest.endIndex
        let authority = rest[..<end]
        // The errors below quote the text, which may contain a password until this check has passed.
        guard !authority.contains("@") else {
            throw Invalid("the URL must not contain a user name or password; put the key into the file set as key-file")
        }
        guard rest[end...].isEmpty || rest[end...] == "/" else {
            throw Invalid("nothing may follow the host and port; remove \"\(rest[end])\" and everything after it")
        }
        let (host, port) = try Self.split(authority)
        self.scheme = scheme
        self.host = try Self.checked(host)
        let number = try port.map { port throws(Invalid) in try Self.number(port) }
        self.port = number == scheme.defaultPort ? nil : number
    }

    /// The port to connect to.
    package var effectivePort: Int { port ?? scheme.defaultPort }

    /// The host as an address; nil if it is a name.
    package var address: IPAddress? {
        // A host that is not an address is a name, so the error does not matter.
        try? IPAddress(host)
    }

    /// Splits an authority into host and port. An IPv6 host keeps its brackets.
    private static func split(_ authority: Substring) throws(Invalid) -> (host: Substring, port: Substring?) {
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else {
                throw Invalid("missing \"]\" after the IPv6 address")
            }
            let after = authority[bracket...].dropFirst()
            guard after.isEmpty || after.first == ":" else {
                throw Invalid("only a port may follow the IPv6 address, as in http://[2001:db8::1]:8080")
            }
            return (authority[...bracket], after.isEmpty ? nil : after.dropFirst())
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2 else {
            throw Invalid("an IPv6 address must be in brackets, as in http://[2001:db8::1]:8080")
        }
        return (parts[0], parts.count == 2 ? parts[1] : nil)
    }

    private static func checked(_ host: Substring) throws(Invalid) -> String {
        do {
            if host.first == "[" {
                let address = try IPAddress(host.dropFirst().dropLast())
                // An IPv4-mapped address is printed as IPv4, and connections to it use IPv4.
                return address.description
            }
            if host.contains("."), host.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }) {
                return try IPAddress(host).description
            }
        } catch {
            throw Invalid("\"\(host)\" is not an IP address: \(error)")
        }
        let name = host.hasSuffix(".") ? host.dropLast() : host
        guard !name.isEmpty else { throw Invalid("missing host; expected a URL such as http://ip-api.com") }
        guard name.utf8.count <= 253, name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
        else {
            throw Invalid(
                "\"\(name.prefix(80))\" is not a host name: expected letters, digits and hyphens, separated by dots")
        }
        return name.lowercased()
    }

    /// Whether this is a valid label of a host name (RFC 1123 §2.1). Underscores are allowed, since container names may
    /// contain them.
    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }

    private static func number(_ port: Substring) throws(Invalid) -> Int {
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port), (1...65535).contains(number)
        else {
            throw Invalid("\"\(port.prefix(16))\" is not a port; expected a number from 1 to 65535")
        }
        return number
    }
}

extension BaseURL.Invalid {
    fileprivate init(_ description: String) { self.description = description }
}

extension BaseURL: CustomStringConvertible {
    /// The canonical form, without a final `/`.
    package var description: String { "\(scheme.rawValue)://\(authority)" }

    /// The host, with brackets if it is an IPv6 address, and the port unless it is the default.
    package var authority: String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }
}
