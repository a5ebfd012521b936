package import IPAPI

/// The value of `[provider] proxy`.
package enum ProxySetting: Hashable, Sendable {
    /// The key is missing or empty: the file, the systemd credential or the environment may name a proxy.
    case unset
    /// The value is "none": there is no proxy, whatever the environment says.
    case direct
    case proxy(HTTPProxy)
}
