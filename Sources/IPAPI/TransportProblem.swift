import RecordKeeping

/// Why no whole HTTP response came, told apart as far as a person can do something about it.
enum TransportProblem: Hashable {
    case nameNotFound
    /// Every address refused, or no route to any; the text is the kernel's, with its errno.
    case notConnected(String)
    case tls(String)
    case reset
    /// Closed by the other end before a response began.
    case closed
    /// Closed by the other end, or by what is between, in the middle of a response.
    case brokeOff
    /// No connection in time.
    case connectTimeout
    /// A connection, and no whole response in time.
    case deadline
    case tooLarge
    /// Not HTTP, or compressed wrongly or beyond the bound; the text is the decoder's.
    case notHTTP(String)
    case cancelled
    case shutDown
    case other(String)
}

extension TransportProblem {
    /// The problem as the core is told of it.
    func failure(of provider: Provider, timeout: Duration, longestBodyBytes: Int) -> CallFailure {
        let place = provider.endpoint
        let limit = "\(timeout.wholeMilliseconds) ms"
        let (kind, message): (Failure.Kind, String) =
            switch self {
            case .nameNotFound:
                (
                    .unreachable,
                    "the name \(provider.host) cannot be resolved: does DNS work, or does it block the name?"
                )
            case .notConnected(let why):
                (.unreachable, "no connection to \(place): \(why)" + blocklistHint(provider))
            case .tls(let why):
                (.unreachable, "no TLS with \(place): \(why)" + tlsHint(provider))
            case .reset:
                (.unreachable, "the connection to \(place) was reset")
            case .closed:
                (.unreachable, "\(place) closed the connection without a reply")
            case .brokeOff:
                (.malformed, "the reply of \(place) broke off before its end")
            case .connectTimeout:
                (.timeout, "no connection to \(place) within \(limit)" + tlsHint(provider))
            case .deadline:
                (.timeout, "\(place) sent no whole reply within \(limit)")
            case .tooLarge:
                (.malformed, "the reply of \(place) is longer than \(longestBodyBytes) bytes")
            case .notHTTP(let why):
                (.malformed, "what \(place) replied is no HTTP response: \(why)")
            case .cancelled:
                (.offline, "the call to \(place) was given up")
            case .shutDown:
                (.offline, "the call to \(place) was not made, as the daemon is ending")
            case .other(let why):
                (.unreachable, "the call to \(place) failed: \(why)")
            }
        return CallFailure(kind: kind, message: provider.withoutKey(message))
    }

    private func blocklistHint(_ provider: Provider) -> String {
        if provider.scheme == .https, provider.hasDocumentedLimits { return tlsHint(provider) }
        guard provider.host == Provider.freeHost else { return "" }
        return "; ip-api.com is on some DNS blocklists: does its name resolve to a real address?"
    }

    private func tlsHint(_ provider: Provider) -> String {
        guard provider.scheme == .https, provider.host == Provider.freeHost else { return "" }
        return "; the free tier of ip-api.com has no TLS: write http://ip-api.com"
    }
}
