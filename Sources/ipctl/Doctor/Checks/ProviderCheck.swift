import Control

/// How the provider has been answering the daemon.
struct ProviderCheck: Check {
    static let name = "provider"

    let provider: Interface.Provider
    let patient: Patient
    let now: Int64

    func findings() -> [Finding] {
        let said = provider.message ?? "it does not say why"
        let since = "since \(Times.clock(provider.since, from: now))"
        switch provider.state {
        case "ok": return [ok("\(provider.name) answers, \(calls)")]
        case "idle": return [ok("\(provider.name) was not asked for anything yet")]
        case "throttled": return [warning("throttled \(since): \(said)", remedy: patience)]
        case "unauthorized": return [bad("\(refusal.words) \(since): \(said)", remedy: refusal.remedy)]
        case "failing":
            return [
                bad(
                    "failing \(since): \(said)",
                    remedy: "curl -sSi \("\(provider.endpoint)/json/1.1.1.1?fields=status,message".shellWord) "
                        + "shows what it answers; the daemon tries again by itself, at least each minute")
            ]
        default: return [warning("\(provider.state) \(since): \(said)", remedy: patient.log)]
        }
    }

    private var calls: String {
        let last = provider.lastCallAt.map { ", the last call \(Times.ago($0, from: now))" } ?? ""
        let calls = provider.calls == 1 ? "1 call" : "\(Times.grouped(provider.calls)) calls"
        return "\(calls), of which \(Times.grouped(provider.failures)) failed\(last)"
    }

    private var patience: String {
        let reset = provider.quotas.compactMap(\.resetsAt).max().map { ", \(Times.ahead($0, from: now))" } ?? ""
        return
            "The next window\(reset) brings the rest. Where that is not enough: ask for fewer addresses, or get a key "
            + "for https://pro.ip-api.com"
    }

    // MARK: Refused

    /// Which of the reasons for a 401 or 403 it was; the daemon's message has the provider's own words.
    private var refusal: (words: String, remedy: String) {
        let said = (provider.message ?? "").lowercased()
        let file = patient.configurationFile ?? "the daemon's configuration"
        let putKey =
            "Put the key into the file that [provider] key-file of \(file) names, or into the systemd credential "
            + "ip-api-key. Then: \(patient.restart)"
        let unban =
            "Stop asking, for an hour at least: \(patient.isService ? Patient.asRoot("systemctl stop iprecordd") : "end it"). "
            + "Then have the address unbanned at https://ip-api.com/docs/unban"
        if said.contains("ssl unavailable") || said.contains("no tls") {
            return ("https is refused", patient.toSet("[provider] endpoint = \(EndpointCheck.withTLSOrWithout)"))
        }
        if said.contains("invalid/expired key") || said.contains("answers only with a key") {
            return ("the key is refused", putKey)
        }
        let host = Endpoint(provider.endpoint)?.host
        if host == Endpoint.freeHost { return ("this host's address is banned", unban) }
        return (
            "access is refused", "\(putKey). If the key is right, the address is banned: https://ip-api.com/docs/unban"
        )
    }
}
