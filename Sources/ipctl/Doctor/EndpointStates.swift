import Control
import RecordKeeping

/// The states of the provider's endpoints. If one endpoint fails, the other one fetches all records.
struct EndpointStates {
    let provider: Interface.Provider

    private static let working = [ProviderState.ok.rawValue, ProviderState.idle.rawValue]

    /// The endpoint that answers; nil if none is known to answer.
    var answering: Interface.Endpoint? { provider.endpoints.first { $0.state == ProviderState.ok.rawValue } }

    /// The endpoint that does not answer although the other one does; nil if there is none.
    var failing: Interface.Endpoint? {
        guard answering != nil else { return nil }
        return provider.endpoints.first { !Self.working.contains($0.state) }
    }

    /// Whether the provider fails, and no endpoint is known to answer.
    var areAllFailing: Bool { answering == nil && !Self.working.contains(provider.state) }

    /// Returns a clause with the start of the next quota window; empty if it is unknown.
    ///
    /// - Parameter endpoint: the endpoint whose window begins; nil for the first window of any endpoint.
    func nextWindow(of endpoint: String? = nil, from now: Int64) -> String {
        let quotas = provider.quotas.filter { endpoint == nil || $0.name == endpoint }
        guard let next = quotas.compactMap(\.resetsAt).filter({ $0 > now }).min() else { return "" }
        return ", which begins at \(Times.clock(next, from: now)) (\(Times.ahead(next, from: now)))"
    }
}
