import RecordKeeping

/// A base URL from the configuration, parsed part by part so that each mistake has its own error.
///
/// The grammar is that of RFC 3986, restricted to `scheme://host[:port][/]`.
struct EndpointText {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    typealias Parts = (scheme: Provider.Scheme, host: String, port: Int?)

    func parse() throws(ProviderError) -> Parts {
        guard text.utf8.count <= 512, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .endpoint(
                "expected a URL of at most 512 ASCII characters without white space, such as http://ip-api.com")
        }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw .endpoint("expected a URL that begins with http:// or https://, such as http://ip-api.com")
        }
        guard let scheme = Provider.Scheme(rawValue: text[..<colon].lowercased()) else {
            throw .endpoint("unknown scheme \"\(text[..<colon])\"; expected http or https")
        }
        let rest = text[colon...].dropFirst(3)
        let end = rest.firstIndex(where: { "/?#\\".contains($0) }) ?? rest.endIndex
        let authority = rest[..<end]
        // The errors below quote the text. Before this check, it may contain a password.
        guard !authority.contains("@") else {
            throw .endpoint(
                "the URL must not contain a user name or password; put the key into the file set as key-file")
        }
        guard rest[end...].isEmpty || rest[end...] == "/" else {
            throw .endpoint("nothing may follow the host and port; remove \"\(rest[end])\" and everything after it")
        }
        let (host, port) = try split(authority)
        return (scheme, try checked(host), try port.map { port throws(ProviderError) in try number(port) })
    }

    /// Splits an authority into host and port. An IPv6 host keeps its brackets.
    private func split(_ authority: Substring) throws(ProviderError) -> (host: Substring, port: Substring?) {
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else {
                throw .endpoint("missing \"]\" after the IPv6 address")
            }
            let after = authority[bracket...].dropFirst()
            guard after.isEmpty || after.first == ":" else {
                throw .endpoint("only a port may follow the IPv6 address, as in http://[2001:db8::1]:8080")
            }
            return (authority[...bracket], after.isEmpty ? nil : after.dropFirst())
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2 else {
            throw .endpoint("an IPv6 address must be in brackets, as in http://[2001:db8::1]:8080")
        }
        return (parts[0], parts.count == 2 ? parts[1] : nil)
    }

    private func checked(_ host: Substring) throws(ProviderError) -> String {
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
            throw .endpoint("\"\(host)\" is not an IP address: \(error)")
        }
        let name = host.hasSuffix(".") ? host.dropLast() : host
        guard !name.isEmpty else { throw .endpoint("missing host; expected a URL such as http://ip-api.com") }
        guard name.utf8.count <= 253, name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
        else {
            throw .endpoint(
                "\"\(name.prefix(80))\" is not a host name: expected letters, digits and hyphens, separated by dots")
        }
        return name.lowercased()
    }

    /// Whether this is a valid label of a host name (RFC 1123 §2.1). Underscores are allowed, since container names may
    /// contain them.
    private func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }

    private func number(_ port: Substring) throws(ProviderError) -> Int {
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port), (1...65535).contains(number)
        else {
            throw .endpoint("\"\(port.prefix(16))\" is not a port; expected a number from 1 to 65535")
        }
        return number
    }
}
