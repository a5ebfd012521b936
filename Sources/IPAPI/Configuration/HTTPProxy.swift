package import RecordKeeping

/// An HTTP proxy between the daemon and the provider.
///
///     try HTTPProxy("http://user:secret@proxy.example:3128").description  // "proxy.example:3128"
package struct HTTPProxy: Hashable, Sendable {
    /// A host name in lower case without a final dot, or an IP address without brackets.
    package var host: String { url.host }
    package var port: Int { url.effectivePort }
    /// The user name and password; nil if the URL has none.
    let login: ProxyLogin?
    package var hasLogin: Bool { login != nil }

    /// The URL without the user name and password: `http://proxy.example:3128`.
    package let url: BaseURL

    /// Maximum size of the text in bytes, with the user name and password.
    private static let maxBytes = 1_024

    /// The port of a proxy without an explicit one, as for curl (curl(1), `--proxy`).
    private static let defaultPort = 1_080

    /// Parses `[http://][user:password@]host[:port][/]`. The user name and the password are percent-decoded, as curl
    /// does it (curl(1), `--proxy`).
    ///
    /// No error quotes any part of the text, because a typing error can make the password look like another part.
    package init(_ text: String) throws(ProviderError) {
        guard text.utf8.count <= Self.maxBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .notAProxy
        }
        var rest = Substring(text)
        if let end = text.firstRange(of: "://") {
            guard text[..<end.lowerBound].lowercased() == "http" else { throw .notAProxy }
            rest = text[end.upperBound...]
        }
        if let at = rest.lastIndex(of: "@") {
            login = try ProxyLogin(rest[..<at])
            rest = rest[at...].dropFirst()
        } else {
            login = nil
        }
        if rest.last == "/" { rest.removeLast() }
        let port = rest[(rest.lastIndex(of: "]") ?? rest.startIndex)...].contains(":") ? "" : ":\(Self.defaultPort)"
        do throws(BaseURL.Invalid) {
            url = try BaseURL("http://\(rest)\(port)")
        } catch {
            throw .notAProxy
        }
    }
}

extension HTTPProxy: CustomStringConvertible {
    /// The host and the port, without the user name and password.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension ProviderError {
    fileprivate static let notAProxy = ProviderError(
        description: "not the URL of an HTTP proxy; expected http://[user:password@]host:port, such as "
            + "http://proxy.example:3128")
}
