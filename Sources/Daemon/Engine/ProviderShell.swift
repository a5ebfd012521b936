import IPAPI

/// The shell that performs the keeper's calls.
enum ProviderShell: Sendable {
    /// - Parameter host: the host whose routes are checked: that of the provider or its proxy.
    case remote(Client, host: String)
    case local(LocalProvider)

    /// Ends the connections to a remote provider.
    func shutdown() async {
        switch self {
        case .remote(let client, _): await client.shutdown()
        case .local: break
        }
    }
}
