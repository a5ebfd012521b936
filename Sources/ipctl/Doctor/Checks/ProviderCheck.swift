import Control
import RecordKeeping

/// Checks the provider's replies to the daemon.
struct ProviderCheck: Check {
    static let name = "provider"

    let provider: Interface.Provider
    let target: DoctorTarget
    let now: Int64
    /// Whether there is a route to the provider. Without a route, earlier replies do not show the provider's state.
    var isOnline = true

    func findings() -> [Finding] {
        let message = provider.message ?? "no reason given"
        let since = "since \(Times.clock(provider.since, from: now))"
        if provider.isLocal { return localFindings(message, since) }
        if let failing = endpoints.failing, let answering = endpoints.answering {
            return partialFailure(of: failing, whileAnswering: answering)
        }
        switch provider.state {
        case "ok" where !isOnline, "idle" where !isOnline:
            return skipped("unknown while there is no route to \(provider.name): \(calls)")
        case "ok": return ok("\(provider.name) answers, \(calls)\(waiting)")
        case "idle": return skipped("unknown: no request has been sent to \(provider.name) yet\(waiting)")
        case "throttled": return warning("throttled \(since): \(message)", remedy: quotaAdvice)
        case "unauthorized": return bad("\(rejection.summary) \(since): \(message)", remedy: rejection.remedy)
        case "failing":
            return bad(
                "failing \(since): \(message)",
                remedy: "\(requestCommand()); the daemon retries automatically")
        default: return warning("\(provider.state) \(since): \(message)", remedy: target.log)
        }
    }

    private func localFindings(_ message: String, _ since: String) -> [Finding] {
        switch provider.state {
        case "ok": ok("\(provider.name), \(calls)")
        case "idle": skipped("unknown: no record has been read from \(provider.name) yet")
        default:
            bad(
                "no record can be read \(since): \(message)",
                remedy: "Replace the files of [offline] databases; the daemon reads them again when they change")
        }
    }

    private var calls: String {
        let last = provider.lastCallAt.map { ", the last call \(Times.ago($0, from: now))" } ?? ""
        let failed = provider.failures == 0 ? "none" : Times.grouped(provider.failures)
        return "\(Times.count(provider.calls, "call")), of which \(failed) failed\(last)"
    }

    /// The end of a message with the reason why calls wait although the provider works; empty if none wait.
    private var waiting: String {
        provider.message.map { "; \($0)\(endpoints.nextWindow(from: now))" } ?? ""
    }

    private var quotaAdvice: String {
        let next = provider.quotas.compactMap(\.resetsAt).filter { $0 > now }.min()
        let begins = next.map { ", which begins \(Times.ahead($0, from: now))" } ?? ""
        return
            "Refreshes continue in the next quota window\(begins). If that is not enough, watch fewer addresses, or "
            + "get a key for https://pro.ip-api.com"
    }

    /// Returns a command that shows the reply of an endpoint, by default of the single one.
    private func requestCommand(_ endpoint: String = Call.Endpoint.single.rawValue) -> String {
        let (data, path) =
            endpoint == Call.Endpoint.batch.rawValue ? ("-d '[\"1.1.1.1\"]' ", "batch") : ("", "json/1.1.1.1")
        let proxy = provider.proxy.map { "-x http://\($0) " } ?? ""
        let url = "\(provider.endpoint)/\(path)?fields=status,message"
        return "To see its reply: curl -sSi \(proxy)\(data)\(url.shellWord)"
    }

    // MARK: One endpoint

    private var endpoints: EndpointStates { EndpointStates(provider: provider) }

    /// Returns the finding for an endpoint that does not answer while the other one does. The provider does not ban
    /// single endpoints, so another host probably refuses the calls.
    private func partialFailure(
        of failing: Interface.Endpoint, whileAnswering answering: Interface.Endpoint
    ) -> [Finding] {
        let message = Self.withoutBan(failing.message ?? "no reason given")
        let since = "since \(Times.clock(failing.since, from: now)): \(message)"
        let rest = isOnline ? "\(answering.name) calls fetch the records" : "\(answering.name) calls worked"
        let test = "\(requestCommand(failing.name)); the daemon retries automatically"
        switch failing.state {
        case "unauthorized":
            return warning(
                "\(failing.name) calls have been refused \(since); \(rest)",
                remedy: "A proxy or a firewall may refuse them. \(test)")
        case "throttled":
            let next = endpoints.nextWindow(of: failing.name, from: now)
            return warning(
                "\(failing.name) calls have been throttled \(since); \(rest)",
                remedy: "The daemon sends \(failing.name) calls again in their next quota window\(next)")
        default: return warning("\(failing.name) calls have failed \(since); \(rest)", remedy: test)
        }
    }

    /// Returns the daemon's message about a refusal without its explanation, which is at the end and names a ban. A ban
    /// would affect all endpoints.
    private static func withoutBan(_ message: String) -> String {
        guard message.contains("address is banned"), let colon = message.lastIndex(of: ":") else { return message }
        return String(message[..<colon])
    }

    // MARK: Rejections

    /// The reason for a status 401 or 403, derived from the endpoint and the provider's message.
    private var rejection: (summary: String, remedy: String) {
        let message = (provider.message ?? "").lowercased()
        // The daemon reports a valid URL.
        let endpoint = try? BaseURL(provider.endpoint)
        let isWithTLS = endpoint?.scheme == .https
        if isWithTLS, endpoint?.host == BaseURL.freeHost || message.contains("ssl unavailable") {
            return (
                "https is rejected", target.instructionsToSet("[provider] endpoint = \(EndpointCheck.withTLSOrWithout)")
            )
        }
        if endpoint?.host == BaseURL.paidHost || message.contains("invalid/expired key") {
            return ("the key is rejected", "\(putKey). If the key is correct, this host's address is banned: \(unban)")
        }
        if endpoint?.host == BaseURL.freeHost {
            guard provider.proxy == nil else {
                return (
                    "the proxy's address is banned, or the proxy refuses the calls",
                    "\(requestCommand()). If the reply is the provider's: \(unban)"
                )
            }
            return ("this host's address is banned", unban)
        }
        return ("access is denied", "\(requestCommand()). If that asks for a key: \(putKey)")
    }

    private var putKey: String {
        let file = target.configurationFile ?? "the daemon's configuration"
        return "put the key into the file set as [provider] key-file in \(file), or into the systemd credential "
            + "ip-api-key, then: \(target.restart)"
    }

    private var unban: String {
        "send no requests for at least an hour (\(target.stop)), then unban it at https://ip-api.com/docs/unban"
    }
}
