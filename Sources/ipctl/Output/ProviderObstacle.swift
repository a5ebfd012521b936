import Control

/// The reason why no endpoint of the provider can be called now, derived from the daemon's status.
enum ProviderObstacle: Hashable {
    /// All endpoints are failing, or refuse this host or the key.
    case failing
    /// All endpoints that are not failing wait for the next windows of their quotas. The time is the start of the first
    /// of these windows; nil if it is unknown.
    case quota(resetsAt: Int64?)

    /// - Returns: nil if an endpoint can be called now.
    init?(of provider: Interface.Provider, at now: Int64) {
        let failing = provider.failingEndpoints
        let isFailing =
            provider.endpoints.isEmpty ? provider.isFailing : failing.count == provider.endpoints.count
        let ignored = isFailing ? [] : Set(failing.map(\.name))
        let quotas = provider.quotas.filter { $0.limit != nil && !ignored.contains($0.name) }
        let isUsedUp: Bool
        if provider.endpoints.isEmpty {
            let isExhausted = !quotas.isEmpty && quotas.allSatisfy { $0.isExhausted(at: now) }
            isUsedUp = provider.state == "throttled" || isExhausted
        } else {
            isUsedUp = provider.endpoints.filter { !ignored.contains($0.name) }.allSatisfy { endpoint in
                endpoint.state == "throttled"
                    || quotas.contains { $0.name == endpoint.name && $0.isExhausted(at: now) }
            }
        }
        if isUsedUp || provider.keepsCalls {
            self = .quota(resetsAt: quotas.compactMap(\.resetsAt).filter { $0 > now }.min())
        } else if isFailing {
            self = .failing
        } else {
            return nil
        }
    }

    /// Whether calls fail in a state, for a reason other than the quota.
    fileprivate static func isFailure(_ state: String) -> Bool { !["ok", "idle", "throttled"].contains(state) }
}

extension Interface.Provider {
    /// The endpoints that are failing, or that refuse this host or the key.
    var failingEndpoints: [Interface.Endpoint] { endpoints.filter { ProviderObstacle.isFailure($0.state) } }

    fileprivate var isFailing: Bool { ProviderObstacle.isFailure(state) }

    /// Whether the remaining calls are kept for other addresses. In this case, the daemon reports a message although
    /// the provider answers.
    fileprivate var keepsCalls: Bool { ["ok", "idle"].contains(state) && message != nil }
}

extension Interface.Quota {
    /// Whether no call is left. A quota whose window has ended no longer counts as exhausted.
    fileprivate func isExhausted(at now: Int64) -> Bool { remaining == 0 && (resetsAt ?? .max) > now }
}
