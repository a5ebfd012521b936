import Foundation
import TestSupport
import Testing

/// The daemon calls the mock provider through an HTTP proxy.
@Suite(.serialized) struct ProxyTests {
    /// A running `scripts/http-proxy`.
    private struct Proxy {
        let program: Program
        /// The host and port.
        let place: String

        init(_ options: String..., address: String = "127.0.0.1:0", prefix: [String] = []) throws {
            program = try Program(prefix + [Service.top + "scripts/http-proxy", address] + options)
            place = String(
                try program.waitForLine(containing: "listening on ").dropFirst("listening on ".count))
        }

        /// The requests so far, each with its method and target.
        var requests: [String] { program.lines.filter { !$0.hasPrefix("listening on ") } }
    }

    /// A name that only the proxy knows.
    private static let name = "provider.test"

    /// The host and port of the mock provider.
    private func server(of rig: Rig) -> String { String(rig.provider.dropFirst("http://".count)) }

    /// Replaces the daemon by one with these lines in `[provider]`.
    private func restart(_ rig: Rig, _ lines: String, endpoint: String) throws {
        try rig.daemon?.stop()
        try rig.configure(["provider": lines], endpoint: endpoint)
        try rig.startDaemon()
    }

    /// Returns the failure of an entry.
    private func failure(_ rig: Rig, _ address: String = "1.1.1.1") throws -> (kind: String, message: String) {
        let entry = try rig.entry(address, wait: 10)
        let failure = try #require(entry["failure"] as? [String: Any], "\(entry)")
        return (try #require(failure["kind"] as? String), try #require(failure["message"] as? String))
    }

    private func provider(_ rig: Rig) throws -> [String: Any] {
        try #require(try rig.status()["provider"] as? [String: Any])
    }

    @Test func `all calls go through the configured proxy, which resolves the provider's name`() throws {
        let rig = try Rig()
        let proxy = try Proxy("--map", "\(Self.name)=\(server(of: rig))")
        try restart(rig, "proxy = \"http://\(proxy.place)\"", endpoint: "http://\(Self.name)")
        #expect(try rig.daemon?.waitForLine(containing: "through the proxy \(proxy.place) ([provider] proxy)") != nil)
        try rig.ipctl("add", "1.1.1.1", "8.8.8.8")
        try rig.ipctl("show", "9.9.9.9", "--wait", "10")
        for address in ["1.1.1.1", "8.8.8.8", "9.9.9.9"] {
            #expect(try rig.entry(address, wait: 10)["state"] as? String == "fresh")
        }
        #expect(try rig.calls().count == proxy.requests.count)
        #expect(proxy.requests.allSatisfy { $0.contains(" http://\(Self.name)/") }, "\(proxy.requests)")
        let provider = try provider(rig)
        #expect(provider["proxy"] as? String == proxy.place)
        #expect(provider["name"] as? String == Self.name)
        // The quota is that of the provider.
        #expect((provider["quotas"] as? [[String: Any]])?.contains { $0["remaining"] is Int } == true)
        #expect(try rig.ipctl("status").output.contains(proxy.place))
        let doctor = try rig.ipctl("doctor").output
        #expect(doctor.contains("through the proxy \(proxy.place) ([provider] proxy)"), "\(doctor)")
    }

    @Test func `the environment names the proxy`() throws {
        let proxy = try Proxy()
        let rig = try Rig(surroundings: Surroundings(environment: ["http_proxy=http://\(proxy.place)"]))
        try rig.daemon?.waitForLine(containing: "listening on")
        #expect(rig.daemon?.lines.contains { $0.contains("the environment variable http_proxy") } == true)
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 10)["state"] as? String == "fresh")
        let calls = try rig.calls()
        #expect(!calls.isEmpty && calls.count == proxy.requests.count)
    }

    @Test func `no_proxy and the setting none bypass the proxy of the environment`() throws {
        let proxy = try Proxy()
        let environment = ["http_proxy=http://\(proxy.place)", "no_proxy=localhost, 127.0.0.0/8"]
        let excepted = try Rig(surroundings: Surroundings(environment: environment))
        let direct = try Rig(
            settings: ["provider": "proxy = \"none\""], surroundings: Surroundings(environment: [environment[0]]))
        for rig in [excepted, direct] {
            try rig.ipctl("add", "1.1.1.1")
            #expect(try rig.entry("1.1.1.1", wait: 10)["state"] as? String == "fresh")
            #expect(try provider(rig)["proxy"] == nil)
        }
        #expect(proxy.requests == [])
    }

    @Test func `a proxy that requires a login is reported, and the password is never printed`() throws {
        let rig = try Rig()
        let proxy = try Proxy("--login", "user:hunt/er2")
        try restart(rig, "proxy = \"http://\(proxy.place)\"", endpoint: rig.provider)
        try rig.ipctl("add", "1.1.1.1")
        let missing = try failure(rig)
        #expect(missing.kind == "unreachable")
        #expect(missing.message.hasPrefix("the proxy \(proxy.place) requires a user name and password (407)"))
        #expect(try provider(rig)["state"] as? String == "failing", "not throttled or unauthorized")
        #expect(rig.daemon?.lines.contains { $0.contains("the proxy \(proxy.place) requires") } == true)

        let file = rig.folder + "/proxy"
        try "http://user:hunt%2Fer3@\(proxy.place)\n".write(toFile: file, atomically: true, encoding: .utf8)
        try restart(rig, "proxy-file = \"\(file)\"", endpoint: rig.provider)
        let rejected = try failure(rig)
        #expect(rejected.message == "the proxy \(proxy.place) rejects the user name or password (407)")
        #expect(try rig.calls().isEmpty)
        var output = rig.daemon?.lines ?? []

        try "http://user:hunt%2Fer2@\(proxy.place)\n".write(toFile: file, atomically: true, encoding: .utf8)
        try restart(rig, "proxy-file = \"\(file)\"", endpoint: rig.provider)
        #expect(try rig.entry("1.1.1.1", wait: 10)["state"] as? String == "fresh")
        output += rig.daemon?.lines ?? []
        output += [try rig.ipctl("--json", "status").output, try rig.ipctl("doctor").output]
        let check = try Program.run([
            Rig.program("iprecordd"), "--config", rig.folder + "/iprecordd.toml", "--check", "--json",
        ])
        output += [check.output, check.errors]
        #expect(check.output.contains(proxy.place))
        #expect(!output.contains { $0.contains("hunt") })
    }

    @Test func `a proxy that does not answer is named`() throws {
        let rig = try Rig()
        let proxy = try Proxy()
        try restart(rig, "proxy = \"http://\(proxy.place)\"", endpoint: rig.provider)
        try proxy.program.stop(with: SIGKILL)
        try rig.ipctl("add", "1.1.1.1")
        let failure = try failure(rig)
        #expect(failure.kind == "unreachable")
        #expect(failure.message.hasPrefix("cannot connect to the proxy \(proxy.place): Connection refused"))
        let daemon = try #require(rig.daemon)
        let alert = try daemon.waitForLine(containing: "cannot connect to the proxy \(proxy.place)", within: 5)
        #expect(!alert.contains(MessageID.networkLost))
        #expect(try rig.calls().isEmpty)
    }

    @Test func `a proxy without a connection to the provider is named, and is not taken for the provider`() throws {
        let rig = try Rig()
        // Nothing listens at port 9, which is reserved for the discard protocol (RFC 863).
        let proxy = try Proxy("--map", "\(Self.name)=127.0.0.1:9")
        try restart(rig, "proxy = \"http://\(proxy.place)\"", endpoint: "http://\(Self.name)")
        try rig.ipctl("add", "1.1.1.1")
        let failure = try failure(rig)
        #expect(failure.kind == "unreachable")
        #expect(failure.message == "the proxy \(proxy.place) answered 502 instead of \(Self.name)")
        #expect(try provider(rig)["state"] as? String == "failing")
    }

    @Test func `an invalid proxy prevents the start, and is not quoted`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("[provider]\nproxy = \"http://user:hunter2\"\n", to: "a.toml")
        let invalid = try Program.run([Rig.program("iprecordd"), "--config", path, "--check"])
        #expect(invalid.status == 78)
        #expect(invalid.errors.contains("\(path):2: provider.proxy: not the URL of an HTTP proxy"))
        let unquoted = try folder.write("[provider]\nproxy = http://user:hunter2@p:1\n", to: "b.toml")
        let bare = try Program.run([Rig.program("iprecordd"), "--config", unquoted, "--check"])
        #expect(bare.status == 78)
        #expect(bare.errors.contains("\(unquoted):2: provider.proxy: a string must be in quotes"))
        #expect(!(invalid.errors + bare.errors).contains("hunter2"))
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot create network namespaces; run as root"))
    func `without a route to the provider, the daemon is online if there is one to the proxy`() throws {
        let namespaces = try Namespaces()
        let server = "\(Namespaces.providerV4):8080"
        let proxy = try Proxy(
            "--map", "\(Self.name)=\(server)", address: "10.77.1.2:3128", prefix: namespaces.providerPrefix)
        let rig = try Rig(
            mockProvider: Rig.unlimited, settings: ["provider": "proxy = \"http://\(proxy.place)\"\ntimeout = \"2s\""],
            bind: server, endpoint: "http://\(Self.name):8080", surroundings: namespaces.surroundings,
            mockProviderPrefix: namespaces.providerPrefix)
        let daemon = try #require(rig.daemon)
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 10)["state"] as? String == "fresh")
        #expect((try rig.status()["network"] as? [String: Any])?["state"] as? String == "online")
        #expect(!daemon.lines.contains { $0.contains(MessageID.networkLost) })
        #expect(try rig.calls().count == proxy.requests.count)

        try namespaces.change("link", "set", "way1", "down")
        let lost = try daemon.waitForLine(containing: MessageID.networkLost, within: 5)
        #expect(daemon.lines.contains { $0.contains("no route to the proxy 10.77.1.2:3128: ") }, "\(lost)")
        try namespaces.change("link", "set", "way1", "up")
        try daemon.waitForLine(containing: MessageID.networkRestored, within: 10)
        #expect(daemon.lines.contains { $0.contains("route to the proxy 10.77.1.2:3128 restored") })
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot create mount namespaces; run as root"))
    func `a provider with https is called through a tunnel, with its own certificate`() throws {
        let certificates = try Certificates()
        let (pem, key) = try certificates.make(Certificates.Leaf(name: "pro.test"))
        let rig = try Rig(
            mockProvider: Rig.unlimited,
            surroundings: Surroundings(
                authorities: try String(contentsOfFile: certificates.authority, encoding: .utf8)))
        let port = try #require(rig.provider.split(separator: ":").last)
        let front = try Program([Service.top + "scripts/tls-front", pem, key, String(port)])
        let listening = try front.waitForLine(containing: "listening on ").dropFirst("listening on ".count)
        let proxy = try Proxy("--login", "user:secret", "--map", "pro.test=127.0.0.1:\(listening)")
        try restart(rig, "proxy = \"http://user:secret@\(proxy.place)\"", endpoint: "https://pro.test")
        try rig.ipctl("add", "1.1.1.1")
        let entry = try rig.entry("1.1.1.1", wait: 10)
        #expect(entry["state"] as? String == "fresh", "\(entry)")
        #expect(Set(proxy.requests) == ["CONNECT pro.test:443"])
        #expect(front.lines.contains("established"))
    }
}
