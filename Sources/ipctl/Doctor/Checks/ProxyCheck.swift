import Control
import Glibc

/// Checks the proxy through which the daemon calls the provider: its origin, and the permissions of its password.
///
/// Without a proxy, there is no finding.
struct ProxyCheck: Check {
    static let name = "proxy"

    /// The host and port of the proxy that the running daemon uses; nil if there is none.
    let used: String?
    /// Whether a daemon replies.
    let isRunning: Bool
    /// The settings of the configuration; nil if they are unknown.
    let settings: CheckReport.Settings?
    /// Whether the configuration decides about the proxy, and not the environment, which the doctor does not share with
    /// the daemon.
    let isConfigured: Bool
    let target: DoctorTarget
    var reader: ProcessCredentials?

    func findings() -> [Finding] {
        choice() + secretFindings()
    }

    private func choice() -> [Finding] {
        guard isRunning else {
            guard let sentence = settings?.proxySentence else { return [] }
            return ok(sentence)
        }
        if let settings, isConfigured, settings.proxySentence != nil, settings.proxy != used {
            return warning(
                "the daemon calls the provider \(route(used)), but the configuration says \(route(settings.proxy)): "
                    + "restart needed",
                remedy: "To apply the configuration: \(target.restart)")
        }
        guard let used else { return [] }
        if let settings, isConfigured, let sentence = settings.proxySentence { return ok(sentence) }
        let unit = target.isService ? " (systemctl show -P Environment iprecordd)" : ""
        return ok(
            "calls to the provider go through the proxy \(used), from the daemon's environment\(unit) or credential")
    }

    private func route(_ proxy: String?) -> String { proxy.map { "through the proxy \($0)" } ?? "directly" }

    private func secretFindings() -> [Finding] {
        guard let settings else { return [] }
        if !settings.proxyFile.isEmpty {
            return SecretFile(
                path: settings.proxyFile, setting: "proxy-file", secret: "proxy's URL", reader: reader, target: target
            ).findings(of: self)
        }
        guard isConfigured, settings.proxyHasLogin == true, let path = target.configurationFile,
            case .found(let status) = FileStatus(path), status.st_mode & 0o004 != 0
        else { return [] }
        return warning(
            "all users can read the password of the proxy in \(path): its mode is \(status.permissions)",
            remedy: "Move the URL into a file with mode 0640, and name it in proxy-file")
    }
}
