import Control
import Testing

@testable import RecordKeeping
@testable import ipctl

@Suite struct ProviderCheckTests {
    private static let patient = Patient(socket: SocketPath.ofSystem) { _ in nil }

    private static func finding(
        _ state: ProviderState, _ message: String? = nil, endpoint: String = "http://ip-api.com"
    ) -> Finding? {
        var provider = Sample.status {
            $0.provider.state = state
            $0.provider.message = message
        }.provider
        provider.endpoint = endpoint
        return ProviderCheck(provider: provider, patient: patient, now: Sample.now).findings().first
    }

    @Test func `one that answers is well, and one that was not asked is not known`() {
        #expect(
            Self.finding(.ok)?.message == "ip-api.com answers, 12,345 calls, of which 2 failed, the last call 7 s ago")
        #expect(Self.finding(.ok)?.state == .ok)
        #expect(Self.finding(.idle)?.state == .skipped, "nobody knows yet")
    }

    @Test(arguments: [
        (ProviderState.ok, Finding.State.skipped), (.idle, .skipped), (.unauthorized, .bad), (.throttled, .warning),
    ])
    func `without a way to it, that it answered says nothing, and what it refused is told still`(
        state: ProviderState, expected: Finding.State
    ) {
        let provider = Sample.status { $0.provider.state = state }.provider
        let check = ProviderCheck(provider: provider, patient: Self.patient, now: Sample.now, hasWay: false)
        #expect(check.findings().map(\.state) == [expected])
        #expect(check.findings().first?.message.contains("answers") == false)
    }

    @Test func `a failing one is told with what it says and how to see for oneself`() {
        let finding = Self.finding(.failing, "HTTP 503", endpoint: "http://192.0.2.1:8080")
        #expect(finding?.state == .bad)
        #expect(finding?.message.hasSuffix(": HTTP 503") == true)
        #expect(
            finding?.remedy?.contains("curl -sSi 'http://192.0.2.1:8080/json/1.1.1.1?fields=status,message'") == true)
    }

    @Test func `a throttled one is told with when the next window begins`() {
        let finding = Self.finding(.throttled, "the quota is used up")
        #expect(finding?.state == .warning)
        #expect(
            finding?.remedy?.hasPrefix(
                "What is due goes out with the next window, which begins in 30 s, as far as that allows. ") == true)
    }

    /// The messages are those of `StatusFailure`, of what ip-api.com answers.
    @Test(
        arguments: [
            (
                "http://ip-api.com",
                "ip-api.com answered 403 (Forbidden): this machine's address is banned, or a key is needed",
                "banned", "https://ip-api.com/docs/unban"
            ),
            (
                "https://pro.ip-api.com",
                "pro.ip-api.com answered 403 (invalid/expired key): the key is wrong or has expired, or this machine's "
                    + "address is banned", "the key is refused", "key-file of /etc/iprecord/iprecordd.toml"
            ),
            (
                "https://pro.ip-api.com",
                "pro.ip-api.com answered 403: pro.ip-api.com answers only with a key; set key-file, or write "
                    + "http://ip-api.com", "the key is refused", "ip-api-key"
            ),
            (
                "https://ip-api.com",
                "ip-api.com answered 403 (SSL unavailable for this endpoint, order a key at https://members.ip-api.com/): "
                    + "the free tier of ip-api.com has no TLS and answers 403 to https", "https is refused",
                "[provider] endpoint = \"http://ip-api.com\""
            ),
            ("http://192.0.2.1", "192.0.2.1 answered 403", "access is refused", "key-file of /etc/iprecord"),
            (
                "http://192.0.2.1:8080",
                "192.0.2.1 answered 403 (SSL unavailable for this endpoint, order a key at https://members.ip-api.com/): "
                    + "this machine's address is banned, or a key is needed", "access is refused",
                "curl -sSi 'http://192.0.2.1:8080/json/1.1.1.1"
            ),
            ("http://pro.ip-api.com", "pro.ip-api.com answered 403", "the key is refused", "ip-api-key"),
        ])
    func `a refusal is told as what it is: a ban, the key, or https`(
        endpoint: String, message: String, words: String, remedy: String
    ) {
        let finding = Self.finding(.unauthorized, message, endpoint: endpoint)
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains(words) == true)
        #expect(finding?.message.hasSuffix(message) == true)
        #expect(finding?.remedy?.contains(remedy) == true)
        if endpoint.hasPrefix("http:") {
            #expect(finding?.message.contains("https is refused") == false)
            #expect(finding?.remedy?.contains("[provider] endpoint") == false, "nothing is wrong with the endpoint")
        }
    }

    @Test func `a state that a newer daemon has is told as it is`() {
        var provider = Sample.status().provider
        provider.state = "asleep"
        let finding = ProviderCheck(provider: provider, patient: Self.patient, now: Sample.now).findings().first
        #expect(finding?.state == .warning)
        #expect(finding?.message.hasPrefix("asleep since ") == true)
    }

    // MARK: Endpoint

    private static func endpoint(_ text: String) -> Finding? {
        EndpointCheck(endpoint: text, patient: patient).findings().first
    }

    @Test func `https on the free tier cannot work`() {
        let finding = Self.endpoint("https://ip-api.com")
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("the free tier has no TLS") == true)
        #expect(
            finding?.remedy?.contains("/etc/iprecord/iprecordd.toml: [provider] endpoint = \"http://ip-api.com\"")
                == true)
        #expect(finding?.remedy?.contains("systemctl restart iprecordd") == true)
    }

    @Test func `a key in clear text is told`() {
        #expect(Self.endpoint("http://pro.ip-api.com")?.state == .warning)
    }

    @Test(arguments: ["http://ip-api.com", "https://pro.ip-api.com", "http://127.0.0.1:8080", "https://example.com"])
    func `every other endpoint is well`(text: String) {
        #expect(Self.endpoint(text)?.state == .ok)
    }

    @Test func `what is no base URL is told`() {
        #expect(Self.endpoint("ip-api.com")?.state == .bad)
    }
}
