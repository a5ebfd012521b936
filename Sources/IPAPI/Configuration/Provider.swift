package import RecordKeeping

/// The source of records: the provider's base URL, the language of its names, and the key of a paying customer.
///
///     let provider = try Provider(endpoint: "http://ip-api.com", language: "en")
///     provider.name                          // "ip-api.com"
///     provider.documentedLimit(of: .batch)   // 15 a minute
///
/// Every value of this type is valid: a request to the provider can always be built from it.
package struct Provider: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable {
        case http
        case https

        /// The port of URLs without an explicit one (RFC 9110 §4.2).
        var defaultPort: Int { self == .http ? 80 : 443 }
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
    package let language: Language
    let key: Key?

    /// Validates the settings of a configuration.
    ///
    /// - Parameters:
    ///   - endpoint: the base URL: `http` or `https`, a host, optionally a port, and optionally one final `/`.
    ///   - language: the raw value of a `Language`.
    ///   - key: the content of the key file; surrounding white space is dropped, and a blank text means that there is
    ///     no key.
    package init(
        endpoint: String = "http://ip-api.com", language: String = "en", key: String? = nil
    ) throws(ProviderError) {
        let address = try EndpointText(endpoint).parse()
        guard let language = Language(rawValue: language) else {
            throw .language(UntrustedText(language).bounded(to: 32))
        }
        self.scheme = address.scheme
        self.host = address.host
        self.port = address.port == address.scheme.defaultPort ? nil : address.port
        self.language = language
        self.key = try Key.reading(key)
    }

    /// The name of the source in records: the endpoint's host.
    package var name: String { host }

    package var hasKey: Bool { key != nil }

    /// The base URL in canonical form, without a final `/`.
    package var endpoint: String {
        let authority = host.contains(":") ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(authority)\(port.map { ":\($0)" } ?? "")"
    }

    /// The port to connect to.
    package var effectivePort: Int { port ?? scheme.defaultPort }

    /// Whether the free tier's documented limits apply from the first call. For other hosts, only the headers of
    /// replies report limits.
    package var hasDocumentedLimits: Bool { host == Self.freeHost }

    /// The documented number of requests per minute (docs/api:json and docs/api:batch, "Usage limits"); nil if none is
    /// documented.
    package func documentedLimit(of endpoint: Call.Endpoint) -> Int? {
        guard hasDocumentedLimits else { return nil }
        return switch endpoint {
        case .single: 45
        case .batch: 15
        }
    }

    /// A warning about settings that are valid by themselves, but will fail or are risky in combination; nil if there
    /// is none.
    package var caution: String? {
        switch (host, scheme, hasKey) {
        case (Self.freeHost, .https, _):
            "the free tier of ip-api.com does not support https, and answers 403; use http://ip-api.com, or "
                + "https://pro.ip-api.com with a key"
        case (Self.freeHost, .http, true):
            "ip-api.com does not accept a key; with a key, use https://pro.ip-api.com"
        case (Self.paidHost, _, false):
            "pro.ip-api.com requires a key; set key-file, or use http://ip-api.com"
        case (Self.paidHost, .http, true):
            "the key is sent in clear text over http; use https://pro.ip-api.com"
        default:
            nil
        }
    }
}

extension Provider: CustomStringConvertible {
    /// The endpoint, the language and whether there is a key; never the key itself.
    package var description: String {
        "\(endpoint), language \(language.rawValue), \(hasKey ? "with a key" : "without a key")"
    }
}

extension Provider {
    /// Returns a text from the provider without the key, which the provider may quote from the request.
    ///
    /// Call this before truncating a text: the remaining part of a truncated key would not be recognized.
    func withoutKey(_ text: String) -> String {
        key?.redacted(from: text) ?? text
    }
}
