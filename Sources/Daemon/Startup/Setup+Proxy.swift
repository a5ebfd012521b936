import Foundation
import Glibc
import IPAPI
import RecordKeeping
import Systemd

/// The choice of the proxy.
extension Setup {
    /// The name of the systemd credential with the URL of the proxy.
    private static let proxyCredential = "iprecord-proxy"

    /// Chooses the proxy by the configuration, its file, the systemd credential and the environment, in this order.
    /// Local databases need none, whatever the environment says.
    ///
    /// - Parameters:
    ///   - environment: the variables of the daemon.
    ///   - credentials: the credentials of the daemon.
    /// - Throws: an error that quotes no URL, if a file cannot be read, or if the first origin that is set does not
    ///   contain the URL of an HTTP proxy.
    func proxyChoice(
        environment: [String: String] = ProcessInfo.processInfo.environment, credentials: Credentials = Credentials()
    ) throws -> ProxyChoice {
        guard configuration.kind == .http else { return ProxyChoice(nil, from: .none) }
        switch configuration.proxy {
        case .direct: return ProxyChoice(nil, from: .configuration)
        case .proxy(let proxy): return ProxyChoice(proxy, from: .configuration)
        case .unset: break
        }
        let path = configuration.proxyFile
        if !path.isEmpty {
            guard let text = try Credentials.text(atPath: path) else {
                throw SystemError("read the proxy from \(path)", errno: ENOENT)
            }
            return ProxyChoice(try Self.proxy(text, in: path), from: .file(path: path))
        }
        if let text = try credentials.text(named: Self.proxyCredential) {
            let origin = ProxyChoice.Origin.credential(Self.proxyCredential)
            return ProxyChoice(try Self.proxy(text, in: "the credential \(Self.proxyCredential)"), from: origin)
        }
        return try ProxyChoice(environment: environment, for: try BaseURL(configuration.endpoint))
    }

    /// Parses the URL of a proxy.
    ///
    /// - Parameter place: the origin of the URL, for errors.
    static func proxy(_ text: String, in place: String) throws(ProviderError) -> HTTPProxy {
        do {
            return try HTTPProxy(text)
        } catch {
            throw ProviderError(in: place, error)
        }
    }

    /// Chooses the proxy as the daemon would, as far as this process can know: the environment and the credentials of
    /// the system service are not those of a process that only checks its configuration.
    var proxyChoiceForCheck: ProxyChoice? {
        // The startup requirements report the error.
        isOfService
            ? try? proxyChoice(environment: [:], credentials: Credentials(directory: nil)) : try? proxyChoice()
    }
}
