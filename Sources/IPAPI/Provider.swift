package import RecordKeeping

/// Where records come from: the provider's base URL, the language of its names, and the key of a paying customer.
///
///     let provider = try Provider(endpoint: "http://ip-api.com", language: "en")
///     provider.name                          // "ip-api.com"
///     provider.documentedLimit(of: .batch)   // 15 a minute
///
/// A value of this type has been checked; a request for it can always be built.
package struct Provider: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable {
        case http
        case https

        /// The port that goes without saying (RFC 9110 §4.2).
        var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// The free tier's host, the only one for which limits are documented.
    package static let freeHost = "ip-api.com"
    /// The paying customers' host, which has TLS and no limits.
    package static let paidHost = "pro.ip-api.com"

    package let scheme: Scheme
    /// A host name in lower case without a final dot, or an IP address without brackets.
    package let host: String
    /// Nil for the scheme's own port, also where that was written out.
    package let port: Int?
    package let language: Language
    let key: Key?

    /// Checks what a configuration says.
    ///
    /// - Parameters:
    ///   - endpoint: the base URL: `http` or `https`, a host, optionally a port, and nothing else but one final `/`.
    ///   - language: one of `Language`.
    ///   - key: the key as its file holds it; white space around it is dropped, and nothing but white space is no key.
    package init(
        endpoint: String = "http://ip-api.com", language: String = "en", key: String? = nil
    ) throws(ProviderError) {
        let address = try EndpointText(endpoint).parse()
        guard let language = Language(rawValue: language) else {
            throw .language(ForeignText(language).bounded(to: 32))
        }
        self.scheme = address.scheme
        self.host = address.host
        self.port = address.port == address.scheme.defaultPort ? nil : address.port
        self.language = language
        self.key = try Key.reading(key)
    }

    /// What records name as their source: the endpoint's host.
    package var name: String { host }

    package var hasKey: Bool { key != nil }

    /// The base URL in one spelling, without a final `/`.
    package var endpoint: String {
        let authority = host.contains(":") ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(authority)\(port.map { ":\($0)" } ?? "")"
    }

    /// The port that is connected to.
    package var effectivePort: Int { port ?? scheme.defaultPort }

    /// Whether the free tier's documented limits hold from the start; elsewhere only the replies' headers tell.
    package var hasDocumentedLimits: Bool { host == Self.freeHost }

    /// Requests a minute that the documentation allows (docs/api:json and docs/api:batch, "Usage limits"); nil where it
    /// says nothing.
    package func documentedLimit(of endpoint: Call.Endpoint) -> Int? {
        guard hasDocumentedLimits else { return nil }
        return switch endpoint {
        case .single: 45
        case .batch: 15
        }
    }

    /// What will go wrong with these settings, or ought to be known, although each for itself is right; nil for
    /// nothing.
    package var caution: String? {
        switch (host, scheme, hasKey) {
        case (Self.freeHost, .https, _):
            "the free tier of ip-api.com has no TLS and answers 403 to https; write http://ip-api.com, or "
                + "https://pro.ip-api.com with a key"
        case (Self.freeHost, .http, true):
            "ip-api.com takes no key; a key belongs to https://pro.ip-api.com"
        case (Self.paidHost, _, false):
            "pro.ip-api.com answers only with a key; set key-file, or write http://ip-api.com"
        case (Self.paidHost, .http, true):
            "the key goes in clear text over http; write https://pro.ip-api.com"
        default:
            nil
        }
    }
}

extension Provider: CustomStringConvertible {
    /// Endpoint, language and whether there is a key; never the key.
    package var description: String {
        "\(endpoint), language \(language.rawValue), \(hasKey ? "with a key" : "without a key")"
    }
}

extension Provider {
    /// A text of the provider's without the key in it, should it quote what it was asked.
    ///
    /// To be used before a text is cut: a part of a key is no key any more, and would stay.
    func withoutKey(_ text: String) -> String {
        key?.redacted(from: text) ?? text
    }
}
