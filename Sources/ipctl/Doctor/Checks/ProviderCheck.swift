import Control

/// How the provider has been answering the daemon.
struct ProviderCheck: Check {
    static let name = "provider"

    let provider: Interface.Provider
    let patient: Patient
    let now: Int64
    /// Without one it cannot be asked: what it answered before says nothing of how it is.
    var hasWay = true

    func findings() -> [Finding] {
        let said = provider.message ?? "it does not say why"
        let since = "since \(Times.clock(provider.since, from: now))"
        switch provider.state {
        case "ok" where !hasWay, "idle" where !hasWay:
            return [skipped("not known while there is no way to \(provider.name): \(calls)")]
        case "ok": return [ok("\(provider.name) answers, \(calls)")]
        case "idle": return [skipped("not known: \(provider.name) was not asked for anything yet")]
        case "throttled": return [warning("throttled \(since): \(said)", remedy: patience)]
        case "unauthorized": return [bad("\(refusal.words) \(since): \(said)", remedy: refusal.remedy)]
        case "failing":
            return [
                bad(
                    "failing \(since): \(said)",
                    remedy: "\(seeForOneself); the daemon tries again by itself, at least each minute")
            ]
        default: return [warning("\(provider.state) \(since): \(said)", remedy: patient.log)]
        }
    }

    private var calls: String {
        let last = provider.lastCallAt.map { ", the last call \(Times.ago($0, from: now))" } ?? ""
        let calls = provider.calls == 1 ? "1 call" : "\(Times.grouped(provider.calls)) calls"
        let failed = provider.failures == 0 ? "none" : Times.grouped(provider.failures)
        return "\(calls), of which \(failed) failed\(last)"
    }

    private var patience: String {
        let next = provider.quotas.compactMap(\.resetsAt).filter { $0 > now }.min()
        let begins = next.map { ", which begins \(Times.ahead($0, from: now))" } ?? ""
        return
            "What is due goes out with the next window\(begins), as far as that allows. Where that is not enough: ask for "
            + "fewer addresses, or get a key for https://pro.ip-api.com"
    }

    private var seeForOneself: String {
        "curl -sSi \("\(provider.endpoint)/json/1.1.1.1?fields=status,message".shellWord) shows what it answers"
    }

    // MARK: Refused

    /// Which of the reasons for a 401 or 403 it was; the daemon's message has the provider's own words.
    private var refusal: (words: String, remedy: String) {
        let said = (provider.message ?? "").lowercased()
        let endpoint = Endpoint(provider.endpoint)
        let isWithTLS = endpoint?.scheme == "https"
        if isWithTLS, endpoint?.host == Endpoint.freeHost || said.contains("ssl unavailable") {
            return ("https is refused", patient.toSet("[provider] endpoint = \(EndpointCheck.withTLSOrWithout)"))
        }
        if endpoint?.host == Endpoint.paidHost || said.contains("invalid/expired key") {
            return ("the key is refused", "\(putKey). If the key is right, the address is banned: \(unban)")
        }
        if endpoint?.host == Endpoint.freeHost { return ("this host's address is banned", unban) }
        return ("access is refused", "\(seeForOneself). If that asks for a key: \(putKey)")
    }

    private var putKey: String {
        let file = patient.configurationFile ?? "the daemon's configuration"
        return "put the key into the file that [provider] key-file of \(file) names, or into the systemd credential "
            + "ip-api-key, then: \(patient.restart)"
    }

    private var unban: String {
        "stop asking, for an hour at least (\(patient.stop)), then have it unbanned at https://ip-api.com/docs/unban"
    }
}
