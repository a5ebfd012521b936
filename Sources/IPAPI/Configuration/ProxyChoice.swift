package import RecordKeeping

/// The decision whether the daemon calls the provider through a proxy, and its origin.
///
/// The first origin that is set decides: the configuration, its file, the systemd credential, the environment.
package struct ProxyChoice: Hashable, Sendable {
    /// The origin of the decision.
    package enum Origin: Hashable, Sendable {
        /// No origin names a proxy.
        case none
        /// `[provider] proxy`; if its value is "none", there is no proxy.
        case configuration
        /// The file at `[provider] proxy-file`.
        case file(path: String)
        /// The systemd credential with this name.
        case credential(String)
        /// The environment variable with this name.
        case variable(String)
        /// An environment variable names a proxy, but `exception` (`no_proxy` or `NO_PROXY`) contains the provider's
        /// host.
        case excepted(variable: String, exception: String)
    }

    /// The proxy; nil if the provider is called directly.
    package let proxy: HTTPProxy?
    package let origin: Origin

    package init(_ proxy: HTTPProxy?, from origin: Origin) {
        (self.proxy, self.origin) = (proxy, origin)
    }

    /// Chooses by the environment variables that curl documents (curl(1), "ENVIRONMENT"):
    /// - `http_proxy` for a provider with http, and only in lower case, because a web server passes a client's header
    ///   `Proxy` to its programs as `HTTP_PROXY`;
    /// - `https_proxy`, or else `HTTPS_PROXY`, for a provider with https;
    /// - `no_proxy`, or else `NO_PROXY`: hosts that are called directly.
    ///
    /// An empty variable counts as missing. `all_proxy` is not used: it often names a SOCKS proxy, which the daemon
    /// does not support.
    ///
    /// - Throws: an error that names the variable, if its value is not the URL of an HTTP proxy. The daemon must not
    ///   call the provider directly where a proxy is required.
    package init(environment: [String: String], for provider: BaseURL) throws(ProviderError) {
        let names = provider.scheme == .http ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
        guard let (name, value) = Self.first(of: names, in: environment) else {
            self.init(nil, from: .none)
            return
        }
        if let (exception, list) = Self.first(of: ["no_proxy", "NO_PROXY"], in: environment),
            NoProxyList(list).contains(provider)
        {
            self.init(nil, from: .excepted(variable: name, exception: exception))
            return
        }
        do {
            self.init(try HTTPProxy(value), from: .variable(name))
        } catch {
            throw ProviderError(in: "the environment variable \(name)", error)
        }
    }

    /// Returns the first variable that is set and not empty, with its value.
    private static func first(of names: [String], in environment: [String: String]) -> (String, String)? {
        for name in names {
            if let value = environment[name], !value.isEmpty { return (name, value) }
        }
        return nil
    }

    /// The origin of the proxy as text, such as "the environment variable http_proxy".
    package var originText: String {
        switch origin {
        case .none: "no proxy is configured"
        case .configuration: "[provider] proxy"
        case .file(let path): path
        case .credential(let name): "the credential \(name)"
        case .variable(let name): "the environment variable \(name)"
        case .excepted(let variable, let exception): "\(exception) excludes the provider from \(variable)"
        }
    }

    /// The choice as a sentence; nil if no origin names a proxy.
    package var sentence: String? {
        if let proxy { return "calls to the provider go through the proxy \(proxy) (\(originText))" }
        return origin == .none ? nil : "calls to the provider go through no proxy (\(originText))"
    }
}
