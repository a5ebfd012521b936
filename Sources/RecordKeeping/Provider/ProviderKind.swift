/// The kind of the provider, with the facts that depend on it.
package enum ProviderKind: Hashable, Sendable {
    /// A service on the network, which needs a route and may have quotas. A record is current for one interval.
    ///
    /// - Parameter documentedLimits: requests per `Settings.documentedWindow`, for a provider with documented limits.
    ///   An endpoint without a value has an unknown limit until a reply reports it.
    case remote(documentedLimits: [Call.Endpoint: Int])
    /// Databases on this host, which need no route and have no quotas. A record is current until the databases change.
    ///
    /// - Parameter version: the version at startup; nil if none of the databases can be read.
    case local(version: DataVersion?)
}
