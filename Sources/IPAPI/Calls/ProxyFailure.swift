import RecordKeeping

/// The failure for an error status that the proxy sent itself, and not on behalf of the provider.
///
/// Such a status says nothing about the provider's quota or about a key or a ban, so it counts as a failure to reach
/// the provider. A 504 counts as a timeout: the provider may have received the call, and an address of the call may be
/// the cause.
struct ProxyFailure {
    let failure: CallFailure

    /// Returns nil if the provider is called directly, or if the response is presumably the provider's.
    ///
    /// Over https, the proxy forwards only encrypted bytes, so every response is the provider's.
    init?(_ raw: RawReply, from provider: Provider) {
        guard let proxy = provider.proxy, provider.scheme == .http, Self.isFromProxy(raw) else { return nil }
        guard raw.status != 407 else {
            failure = CallFailure(kind: .unreachable, message: Self.authenticationMessage(of: provider))
            return
        }
        let answered = "the proxy \(proxy) answered \(raw.status) instead of \(provider.name)"
        let said = raw.header("X-Squid-Error") ?? StatusFailure.words(in: raw, from: provider)
        let words = said.flatMap { UntrustedText(provider.withoutSecrets($0)).excerpt() }
        failure = CallFailure(
            kind: raw.status == 504 ? .timeout : .unreachable,
            message: answered + (words.map { ": \($0)" } ?? ""), retryAfter: raw.retryAfter)
    }

    /// The message for a status 407.
    static func authenticationMessage(of provider: Provider) -> String {
        let name = provider.connectedName
        return provider.proxy?.login == nil
            ? "\(name) requires a user name and password (407): see proxy-file in iprecordd.toml(5)"
            : "\(name) rejects the user name or password (407)"
    }

    /// Whether the proxy created the response itself:
    /// - 407 is sent only by proxies (RFC 9110 §15.5.8), and 502 and 504 only by proxies and gateways (§15.6.3,
    ///   §15.6.5). A reply with the provider's quota is the provider's, which may have gateways of its own.
    /// - `Proxy-Authenticate` (§11.7.1) is the challenge of a proxy, and `Proxy-Status` (RFC 9209 §2.1.1) names its
    ///   error.
    /// - Squid adds `X-Squid-Error` to its error pages.
    private static func isFromProxy(_ raw: RawReply) -> Bool {
        guard raw.status >= 400 else { return false }
        guard raw.status != 407 else { return true }
        if raw.header("X-Rl") != nil || raw.header("X-Ttl") != nil { return false }
        return raw.status == 502 || raw.status == 504 || raw.header("Proxy-Authenticate") != nil
            || raw.header("X-Squid-Error") != nil || raw.header("Proxy-Status")?.contains("error=") == true
    }
}
