import RecordKeeping

/// The reason why no complete HTTP response was received. Problems that require different actions by the operator are
/// different cases.
enum TransportProblem: Hashable {
    case nameNotFound
    /// All addresses refused the connection, or there is no route to them; the text is the kernel's, with the errno.
    case notConnected(String)
    case tls(String)
    case reset
    /// The peer closed the connection before a response began.
    case closed
    /// The peer or an intermediary closed the connection in the middle of a response.
    case brokeOff
    /// No connection was established before the timeout.
    case connectTimeout
    /// A connection was established, but no complete response arrived before the timeout.
    case deadline
    case tooLarge
    /// The response is not valid HTTP, or its body could not be decompressed; the text is the decoder's message.
    case notHTTP(String)
    /// The proxy requires another user name or password for the connection to the provider.
    case proxyAuthentication
    /// The proxy did not connect to the provider. The HTTP library does not report the status.
    case tunnelRefused
    case cancelled
    case shutDown
    case other(String)
}

extension TransportProblem {
    /// The problem as a failure for the core.
    func failure(of provider: Provider, timeout: Duration, maxBodyBytes: Int) -> CallFailure {
        let place = provider.endpoint + provider.throughProxy
        let server = provider.proxy.map { "the proxy \($0)" } ?? provider.endpoint
        let milliseconds = timeout.wholeMilliseconds
        let limit = milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
        let (kind, message): (Failure.Kind, String) =
            switch self {
            case .nameNotFound:
                (.unreachable, "cannot resolve \(Self.name(of: provider)): \(Self.nameHint(provider))")
            case .notConnected(let why):
                (.unreachable, "cannot connect to \(server): \(why)" + blocklistHint(provider))
            case .tls(let why):
                (.unreachable, "the TLS connection to \(place) failed: \(why)" + tlsHint(provider))
            case .reset:
                (.unreachable, "the connection to \(place) was reset")
            case .closed:
                (.unreachable, "\(place) closed the connection without a reply")
            case .brokeOff:
                (.malformed, "\(place) closed the connection before the reply was complete")
            case .connectTimeout:
                (
                    .timeout,
                    "cannot connect to \(provider.scheme == .https ? place : server) within \(limit)"
                        + tlsHint(provider)
                )
            case .deadline:
                (.timeout, "\(place) did not send a complete reply within \(limit)")
            case .tooLarge:
                (.malformed, "the reply from \(place) is longer than \(maxBodyBytes) bytes")
            case .notHTTP(let why):
                (.malformed, "the reply from \(place) is not a valid HTTP response: \(why)")
            case .proxyAuthentication:
                (.unreachable, ProxyFailure.authenticationMessage(of: provider))
            case .tunnelRefused:
                (.unreachable, "\(server) did not connect to \(provider.endpoint): check its log and its rules")
            case .cancelled:
                (.offline, "the call to \(place) was cancelled")
            case .shutDown:
                (.offline, "the call to \(place) was not made: the daemon is shutting down")
            case .other(let why):
                (.unreachable, "the call to \(place) failed: \(why)")
            }
        return CallFailure(kind: kind, message: provider.withoutKey(message))
    }

    private static func name(of provider: Provider) -> String {
        provider.proxy.map { "the proxy \($0.host)" } ?? provider.host
    }

    private static func nameHint(_ provider: Provider) -> String {
        provider.proxy == nil
            ? "check that DNS works and does not block the name" : "check the name, and that DNS works"
    }

    private func blocklistHint(_ provider: Provider) -> String {
        guard provider.host == BaseURL.freeHost, provider.proxy == nil else { return "" }
        return provider.scheme == .https
            ? tlsHint(provider) : "; some DNS blocklists contain ip-api.com: check that it resolves to a real address"
    }

    private func tlsHint(_ provider: Provider) -> String {
        guard provider.scheme == .https, provider.host == BaseURL.freeHost else { return "" }
        return "; the free tier of ip-api.com does not support https: use http://ip-api.com"
    }
}
