package import RecordKeeping

/// The source of records: the provider's base URL, the language of its names, and the key of a paying customer.
///
///     let provider = try Provider(endpoint: "http://ip-api.com", language: "en")
///     provider.name                          // "ip-api.com"
///     provider.documentedLimits[.batch]      // 15 a minute
///
/// Every value of this type is valid: a request to the provider can always be built from it.
package struct Provider: Hashable, Sendable {
    package let url: BaseURL
    package let language: Language
    let key: Key?
    /// The proxy through which the provider is called; nil for direct calls.
    package let proxy: HTTPProxy?

    /// Validates the settings of a configuration.
    ///
    /// - Parameters:
    ///   - endpoint: the base URL: `http` or `https`, a host, optionally a port, and optionally one final `/`.
    ///   - language: the raw value of a `Language`.
    ///   - key: the content of the key file; surrounding white space is dropped, and a blank text means that there is
    ///     no key.
    ///   - proxy: the proxy through which the provider is called; nil for direct calls.
    package init(
        endpoint: String = "http://ip-api.com", language: String = "en", key: String? = nil, proxy: HTTPProxy? = nil
    ) throws(ProviderError) {
        do throws(BaseURL.Invalid) {
            url = try BaseURL(endpoint)
        } catch {
            throw ProviderError(description: error.description)
        }
        guard let language = Language(rawValue: language) else {
            throw ProviderError(
                description: "unknown language \"\(UntrustedText(language).bounded(to: 32))\"; expected one of: "
                    + Language.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self.language = language
        self.key = try Key.reading(key)
        self.proxy = proxy
    }

    /// The name of the source in records: the endpoint's host.
    package var name: String { host }

    package var hasKey: Bool { key != nil }

    package var scheme: BaseURL.Scheme { url.scheme }
    package var host: String { url.host }

    /// The base URL in canonical form, without a final `/`.
    package var endpoint: String { url.description }

    /// The host whose addresses the daemon connects to: that of the proxy, or else that of the provider.
    package var connectedHost: String { proxy?.host ?? host }

    /// The server that the daemon connects to, for messages about its route: "ip-api.com", or "the proxy
    /// proxy.example:3128".
    package var connectedName: String { proxy.map { "the proxy \($0)" } ?? name }

    /// " through the proxy proxy.example:3128" for messages; empty without a proxy.
    var throughProxy: String { proxy.map { " through the proxy \($0)" } ?? "" }

    /// Whether the free tier's documented limits apply from the first call. For other hosts, only the headers of
    /// replies report limits.
    package var hasDocumentedLimits: Bool { host == BaseURL.freeHost }

    /// The documented numbers of requests per minute (docs/api:json and docs/api:batch, "Usage limits"); empty if none
    /// is documented.
    package var documentedLimits: [Call.Endpoint: Int] { hasDocumentedLimits ? [.single: 45, .batch: 15] : [:] }

    /// A warning about settings that are valid by themselves, but will fail or are risky in combination; nil if there
    /// is none.
    package var caution: String? {
        switch (host, scheme, hasKey) {
        case (BaseURL.freeHost, .https, _):
            "the free tier of ip-api.com does not support https, and answers 403; use http://ip-api.com, or "
                + "https://pro.ip-api.com with a key"
        case (BaseURL.freeHost, .http, true):
            "ip-api.com does not accept a key; with a key, use https://pro.ip-api.com"
        case (BaseURL.paidHost, _, false):
            "pro.ip-api.com requires a key; set key-file, or use http://ip-api.com"
        case (BaseURL.paidHost, .http, true):
            "the key is sent in clear text over http; use https://pro.ip-api.com"
        default:
            nil
        }
    }
}

extension Provider {
    /// Returns the provider's text with the key removed, because the provider may quote the request.
    ///
    /// Call this before truncating a text: the remaining part of a truncated key would not be recognized.
    func withoutKey(_ text: String) -> String {
        key?.redacted(from: text) ?? text
    }

    /// Returns a text from the provider or the proxy with the key and the proxy's login removed.
    func withoutSecrets(_ text: String) -> String {
        let text = withoutKey(text)
        guard let login = proxy?.login else { return text }
        return login.redacted(from: text)
    }
}
