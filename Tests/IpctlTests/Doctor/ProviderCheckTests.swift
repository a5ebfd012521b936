import Control
import Testing

@testable import RecordKeeping
@testable import ipctl

@Suite struct ProviderCheckTests {
    private static let target = DoctorTarget(socket: SocketPath.system) { _ in nil }

    private static func finding(
        _ state: ProviderState, _ message: String? = nil, endpoint: String = "http://ip-api.com"
    ) -> Finding? {
        var provider = Sample.status {
            $0.provider.state = state
            $0.provider.message = message
        }.provider
        provider.endpoint = endpoint
        return ProviderCheck(provider: provider, target: target, now: Sample.now).findings().first
    }

    @Test func `a provider that answers is good, and one without calls is unknown`() {
        #expect(
            Self.finding(.ok)?.message == "ip-api.com answers, 12,345 calls, of which 2 failed, the last call 7 s ago")
        #expect(Self.finding(.ok)?.state == .ok)
        #expect(Self.finding(.idle)?.state == .skipped, "the state is still unknown")
    }

    @Test(arguments: [
        (ProviderState.ok, Finding.State.skipped), (.idle, .skipped), (.unauthorized, .bad), (.throttled, .warning),
    ])
    func `without a route, earlier success means nothing, but a rejection is still reported`(
        state: ProviderState, expected: Finding.State
    ) {
        let provider = Sample.status { $0.provider.state = state }.provider
        let check = ProviderCheck(provider: provider, target: Self.target, now: Sample.now, isOnline: false)
        #expect(check.findings().map(\.state) == [expected])
        #expect(check.findings().first?.message.contains("answers") == false)
    }

    @Test func `a failing provider is reported with its message and a command to test it`() {
        let finding = Self.finding(.failing, "HTTP 503", endpoint: "http://192.0.2.1:8080")
        #expect(finding?.state == .bad)
        #expect(finding?.message.hasSuffix(": HTTP 503") == true)
        #expect(
            finding?.remedy?.contains("curl -sSi 'http://192.0.2.1:8080/json/1.1.1.1?fields=status,message'") == true)
    }

    @Test(arguments: [
        (Call.Endpoint.single, "curl -sSi 'http://192.0.2.1:8080/json/1.1.1.1?fields=status,message'"),
        (.batch, "curl -sSi -d '[\"1.1.1.1\"]' 'http://192.0.2.1:8080/batch?fields=status,message'"),
    ])
    func `if one endpoint works, the other one is named, with a command to test it`(
        failing: Call.Endpoint, command: String
    ) {
        let finding = Self.finding(failing, .failing, "HTTP 503", at: "http://192.0.2.1:8080")
        #expect(finding?.state == .warning)
        #expect(finding?.message.hasPrefix("\(failing.rawValue) calls have failed since ") == true)
        let working = failing == .single ? "batch" : "single"
        #expect(finding?.message.hasSuffix(": HTTP 503; \(working) calls fetch the records") == true)
        #expect(finding?.remedy?.contains(command) == true)
    }

    /// The finding for a provider of which only one endpoint has a state other than `ok`.
    private static func finding(
        _ endpoint: Call.Endpoint, _ state: ProviderState, _ message: String, at url: String = "http://ip-api.com",
        isOnline: Bool = true
    ) -> Finding? {
        var provider = Sample.status {
            $0.provider.state = state
            $0.provider.message = message
            $0.provider.endpoints = Sample.endpoints(endpoint, state, message: message)
        }.provider
        provider.endpoint = url
        return ProviderCheck(provider: provider, target: target, now: Sample.now, isOnline: isOnline).findings().first
    }

    @Test func `if only one endpoint is refused, the host is not reported as banned, and no stop is suggested`() {
        let message =
            "ip-api.com answered 403 (Forbidden): this machine's address is banned, or a key is required"
        let finding = Self.finding(.batch, .unauthorized, message)
        #expect(finding?.state == .warning)
        #expect(finding?.message.hasPrefix("batch calls have been refused since ") == true)
        #expect(
            finding?.message.hasSuffix(": ip-api.com answered 403 (Forbidden); single calls fetch the records") == true)
        #expect(finding?.remedy?.hasPrefix("A proxy or a firewall may refuse them. To see its reply: curl ") == true)
        for text in [finding?.message, finding?.remedy] {
            #expect(text?.contains("ban") == false)
            #expect(text?.contains("stop") == false)
        }
    }

    @Test func `if only one endpoint is throttled, it is named with the start of its next window`() {
        let finding = Self.finding(.single, .throttled, "ip-api.com answered 429: the quota is used up")
        #expect(finding?.state == .warning)
        #expect(finding?.message.hasPrefix("single calls have been throttled since ") == true)
        #expect(finding?.message.hasSuffix("; batch calls fetch the records") == true)
        let next = Times.clock(Sample.now + 30_000, from: Sample.now)
        #expect(
            finding?.remedy
                == "The daemon sends single calls again in their next quota window, which begins at \(next) (in 30 s)")
    }

    @Test func `without a route, no endpoint fetches records`() {
        let finding = Self.finding(.batch, .unauthorized, "HTTP 403", isOnline: false)
        #expect(finding?.message.hasSuffix(": HTTP 403; single calls worked") == true)
    }

    @Test func `a quota that is used up is shown with the start of the next window, and is not a problem`() {
        let finding = Self.finding(.ok, "the provider's quota is used up until the next window")
        #expect(finding?.state == .ok)
        let next = Times.clock(Sample.now + 30_000, from: Sample.now)
        #expect(
            finding?.message.hasSuffix(
                "; the provider's quota is used up until the next window, which begins at \(next) (in 30 s)") == true)
    }

    @Test func `a throttled provider is reported with the start of the next window`() {
        let finding = Self.finding(.throttled, "the quota is used up")
        #expect(finding?.state == .warning)
        #expect(
            finding?.remedy?.hasPrefix(
                "Refreshes continue in the next quota window, which begins in 30 s. ") == true)
    }

    /// The messages are those of `StatusFailure` for replies of ip-api.com.
    @Test(
        arguments: [
            (
                "http://ip-api.com",
                "ip-api.com answered 403 (Forbidden): this machine's address is banned, or a key is required",
                "banned", "https://ip-api.com/docs/unban"
            ),
            (
                "https://pro.ip-api.com",
                "pro.ip-api.com answered 403 (invalid/expired key): the key is wrong or has expired, or this machine's "
                    + "address is banned", "the key is rejected", "key-file in /etc/iprecord/iprecordd.toml"
            ),
            (
                "https://pro.ip-api.com",
                "pro.ip-api.com answered 403: pro.ip-api.com requires a key; set key-file, or use "
                    + "http://ip-api.com", "the key is rejected", "ip-api-key"
            ),
            (
                "https://ip-api.com",
                "ip-api.com answered 403 "
                    + "(SSL unavailable for this endpoint, order a key at https://members.ip-api.com/): "
                    + "the free tier of ip-api.com does not support https, and answers 403", "https is rejected",
                "[provider] endpoint = \"http://ip-api.com\""
            ),
            ("http://192.0.2.1", "192.0.2.1 answered 403", "access is denied", "key-file in /etc/iprecord"),
            (
                "http://192.0.2.1:8080",
                "192.0.2.1 answered 403 "
                    + "(SSL unavailable for this endpoint, order a key at https://members.ip-api.com/): "
                    + "this machine's address is banned, or a key is required", "access is denied",
                "curl -sSi 'http://192.0.2.1:8080/json/1.1.1.1"
            ),
            ("http://pro.ip-api.com", "pro.ip-api.com answered 403", "the key is rejected", "ip-api-key"),
        ])
    func `a rejection is reported as a ban, a wrong key, or https`(
        endpoint: String, message: String, words: String, remedy: String
    ) {
        let finding = Self.finding(.unauthorized, message, endpoint: endpoint)
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains(words) == true)
        #expect(finding?.message.hasSuffix(message) == true)
        #expect(finding?.remedy?.contains(remedy) == true)
        if endpoint.hasPrefix("http:") {
            #expect(finding?.message.contains("https is rejected") == false)
            #expect(finding?.remedy?.contains("[provider] endpoint") == false, "nothing is wrong with the endpoint")
        }
    }

    @Test func `an unknown state of a newer daemon is shown unchanged`() {
        var provider = Sample.status().provider
        provider.state = "asleep"
        let finding = ProviderCheck(provider: provider, target: Self.target, now: Sample.now).findings().first
        #expect(finding?.state == .warning)
        #expect(finding?.message.hasPrefix("asleep since ") == true)
    }

    // MARK: Endpoint

    private static func endpoint(_ text: String) -> Finding? {
        EndpointCheck(endpoint: text, target: target).findings().first
    }

    @Test func `https on the free tier cannot work`() {
        let finding = Self.endpoint("https://ip-api.com")
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("the free tier does not support https") == true)
        #expect(
            finding?.remedy?.contains("/etc/iprecord/iprecordd.toml: [provider] endpoint = \"http://ip-api.com\"")
                == true)
        #expect(finding?.remedy?.contains("systemctl restart iprecordd") == true)
    }

    @Test func `a key sent in clear text is reported`() {
        #expect(Self.endpoint("http://pro.ip-api.com")?.state == .warning)
    }

    @Test(arguments: ["http://ip-api.com", "https://pro.ip-api.com", "http://127.0.0.1:8080", "https://example.com"])
    func `every other endpoint is good`(text: String) {
        #expect(Self.endpoint(text)?.state == .ok)
    }

    @Test func `an invalid base URL is reported`() {
        #expect(Self.endpoint("ip-api.com")?.state == .bad)
    }
}
