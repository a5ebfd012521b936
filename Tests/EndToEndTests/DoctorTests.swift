import Foundation
import Testing

/// `ipctl doctor` on real daemons with one fault each: it finds the fault and suggests a fix.
@Suite(.serialized) struct DoctorTests {
    private struct Finding: Decodable {
        var check: String
        var state: String
        var message: String
        var remedy: String?
    }

    private func findings(_ rig: Rig, status: Int32 = 1) throws -> [Finding] {
        let answer = try rig.ipctl("--json", "doctor")
        #expect(answer.status == status, "\(answer)")
        return try answer.output.split(separator: "\n").map {
            try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
        }
    }

    /// Returns all findings but `ok`. Each fault must have a remedy.
    private func faults(_ rig: Rig, status: Int32 = 1) throws -> [Finding] {
        let faults = try findings(rig, status: status).filter { $0.state != "ok" }
        #expect(faults.allSatisfy { $0.state == "skipped" || $0.remedy != nil }, "\(faults)")
        return faults
    }

    private func fault(_ rig: Rig, of check: String) throws -> Finding {
        let all = try faults(rig)
        return try #require(all.first { $0.check == check }, "\(all)")
    }

    // MARK: This host

    @Test func `all checks run on a daemon that was started by hand with its own configuration`() throws {
        let rig = try Rig()
        try rig.ipctl("add", "1.1.1.1", "--wait")
        let all = try findings(rig, status: 0)
        #expect(all.allSatisfy { $0.state == "ok" }, "\(all)")
        #expect(all.map(\.check).suffix(3) == ["key", "lists", "configuration"])
        #expect(all.last?.message == "\(rig.folder)/iprecordd.toml is valid and matches the running daemon")
    }

    @Test func `a configuration that was changed after the start is reported as needing a restart`() throws {
        let rig = try Rig()
        try rig.ipctl("add", "1.1.1.1", "--wait")
        try rig.configure(
            ["refresh": "interval = \"9m\""], endpoint: rig.provider)
        let changed = try faults(rig)
        #expect(changed.map(\.check) == ["configuration"])
        let path = rig.folder + "/iprecordd.toml"
        #expect(
            changed.first?.message == "the daemon refreshes every 5 min, but \(path) says 9 min: restart needed")
        #expect(changed.first?.remedy?.contains("--config \(path)") == true)
        try rig.configure([:], endpoint: "http://192.0.2.1")
        #expect(try fault(rig, of: "configuration").message.contains("says http://192.0.2.1: restart needed"))
        try rig.daemon?.stop()
        try rig.configure([:], endpoint: rig.provider)
        try rig.startDaemon()
        #expect(try findings(rig, status: 0).last?.state == "ok")
    }

    @Test func `an invalid line of a list is reported with its position`() throws {
        let rig = try Rig()
        try FileManager.default.createDirectory(atPath: rig.folder + "/watch.d", withIntermediateDirectories: false)
        let list = rig.folder + "/watch.d/a.list"
        try "9.9.9.9 dns # quad9\n1.2.3.400\n".write(toFile: list, atomically: false, encoding: .utf8)
        let reload = try rig.ipctl("reload")
        #expect(reload.status == 65)
        let finding = try fault(rig, of: "lists")
        #expect(finding.state == "bad")
        #expect(finding.message.hasPrefix("line 2 of \(list): \"1.2.3.400\" is not an IP address"))
        #expect(reload.errors.contains(finding.message), "the daemon says the same")
        #expect(finding.remedy == "Fix the line in \(list), then run: ipctl reload")
    }

    @Test func `a socket with the wrong mode and a deleted database are found`() throws {
        let rig = try Rig()
        try rig.ipctl("add", "1.1.1.1", "--wait")
        chmod(rig.socket, 0o600)
        try FileManager.default.removeItem(atPath: rig.database)
        let all = try faults(rig)
        #expect(all.map(\.check) == ["socket", "store"], "\(all)")
        #expect(all.first?.message.contains("has mode 0600") == true)
        #expect(all.first?.remedy?.hasSuffix("chmod 0666 \(rig.socket)") == true)
        #expect(all.last?.message.hasPrefix("\(rig.database) was deleted, but the daemon still has it open") == true)
        #expect(all.last?.remedy?.contains("ipctl export") == true)
    }

    @Test func `a killed daemon is reported as one that left its socket behind`() throws {
        let rig = try Rig()
        try rig.daemon?.stop(with: SIGKILL)
        let all = try faults(rig, status: 69)
        #expect(all.first?.check == "daemon")
        #expect(all.first?.message.hasPrefix("no process is listening on \(rig.socket)") == true)
        #expect(all.dropFirst().allSatisfy { $0.state == "skipped" }, "\(all)")
    }

    @Test func `an unknown host name of the provider is found`() throws {
        let rig = try Rig(
            endpoint: "http://provider.invalid",
            surroundings: Surroundings(environment: ["RES_OPTIONS=timeout:1 attempts:1"]))
        let finding = try fault(rig, of: "name")
        #expect(finding.state == "bad")
        #expect(finding.message.hasPrefix("cannot resolve provider.invalid: "))
        #expect(finding.remedy?.contains("getent ahosts provider.invalid") == true)
    }

    // MARK: The route, and ip-api.com itself

    /// Starts a daemon whose provider has the name `host`, which resolves to `address`. The mock provider listens at
    /// the default address.
    private func rig(
        _ namespaces: Namespaces, _ endpoint: String, named host: String, address: String = Namespaces.providerV4,
        mockProvider options: [String] = [], settings: [String: String] = [:], files: [String] = []
    ) throws -> Rig {
        try namespaces.change("route", "add", "default", "via", "10.77.1.2")
        return try Rig(
            mockProvider: options, settings: settings, bind: "\(Namespaces.providerV4):80", endpoint: endpoint,
            surroundings: Surroundings(
                network: namespaces.surroundings.network, hosts: "\(address) \(host)", files: files),
            mockProviderPrefix: namespaces.providerPrefix)
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot create network namespaces; run as root"))
    func `a missing route is found, and a refresh reports it`() throws {
        let namespaces = try Namespaces()
        // The namespaces are deleted with the last reference.
        defer { withExtendedLifetime(namespaces) {} }
        let rig = try rig(namespaces, "http://ip-api.com", named: "ip-api.com")
        try rig.ipctl("add", "1.1.1.1", "--wait")
        #expect(try findings(rig, status: 0).allSatisfy { $0.state == "ok" })
        try namespaces.change("route", "del", "default")
        try rig.daemon?.waitForLine(containing: "network lost")
        let network = try fault(rig, of: "network")
        #expect(network.state == "bad")
        #expect(network.message.hasPrefix("offline since "))
        #expect(network.remedy?.contains("ip route get \(Namespaces.providerV4)") == true)

        let refresh = try rig.ipctl("refresh")
        #expect(refresh.output == "nothing to refresh: the record is current\n", "\(refresh)")
        try rig.ipctl("add", "8.8.8.8")
        let offline = try rig.ipctl("refresh", "8.8.8.8")
        #expect(offline.status == 75)
        #expect(
            offline.output.hasPrefix("1 address will be refreshed when the network is back: offline since "),
            "\(offline)")
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot create network namespaces; run as root"))
    func `a name that a DNS filter blocks is found`() throws {
        let namespaces = try Namespaces()
        // The namespaces are deleted with the last reference.
        defer { withExtendedLifetime(namespaces) {} }
        let blocked = try rig(namespaces, "http://ip-api.com", named: "ip-api.com", address: "0.0.0.0")
        let name = try fault(blocked, of: "name")
        #expect(name.message == "ip-api.com resolves to 0.0.0.0: a DNS filter blocks it")
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot create network namespaces; run as root"))
    func `a ban is reported as a ban, and not as missing support for https`() throws {
        let namespaces = try Namespaces()
        // The namespaces are deleted with the last reference.
        defer { withExtendedLifetime(namespaces) {} }
        let rig = try rig(
            namespaces, "http://ip-api.com", named: "ip-api.com", mockProvider: ["--fault", "forbidden"])
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "failed")
        let provider = try fault(rig, of: "provider")
        #expect(provider.message.hasPrefix("this host's address is banned since "), "\(provider)")
        #expect(provider.remedy?.contains("https://ip-api.com/docs/unban") == true)
        #expect(provider.remedy?.contains("kill ") == true, "without a service, the remedy is kill")
        #expect(try faults(rig).map(\.check) == ["provider", "records"])
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot create network namespaces; run as root"))
    func `a rejected key, in a file that all users can read, sent in clear text, is found`() throws {
        let namespaces = try Namespaces()
        // The namespaces are deleted with the last reference.
        defer { withExtendedLifetime(namespaces) {} }
        let key = NSTemporaryDirectory() + "/iprecord-key-\(UUID().uuidString.prefix(8))"
        // A file that is left over does no harm.
        defer { try? FileManager.default.removeItem(atPath: key) }
        try "not-the-one\n".write(toFile: key, atomically: false, encoding: .utf8)
        chmod(key, 0o644)
        let rig = try rig(
            namespaces, "http://pro.ip-api.com", named: "pro.ip-api.com", mockProvider: ["--key", "right"],
            settings: ["provider": "key-file = \"\(key)\""], files: [key])
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "failed")
        let all = try faults(rig)
        try #require(all.map(\.check) == ["endpoint", "provider", "records", "key"], "\(all)")
        #expect(all[0].message.contains("the key is sent in clear text"))
        #expect(all[1].message.hasPrefix("the key is rejected since "))
        #expect(all[1].remedy?.contains("key-file in \(rig.folder)/iprecordd.toml") == true)
        #expect(all[3].message == "all users can read the key in \(key): its mode is 0644")
        #expect(!"\(all)".contains("not-the-one"), "a key is never shown")
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot create network namespaces; run as root"))
    func `https on the free tier is found`() throws {
        let namespaces = try Namespaces()
        // The namespaces are deleted with the last reference.
        defer { withExtendedLifetime(namespaces) {} }
        let rig = try rig(namespaces, "https://ip-api.com", named: "ip-api.com")
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "failed")
        let endpoint = try fault(rig, of: "endpoint")
        #expect(endpoint.message.contains("the free tier does not support https, and answers 403"))
        #expect(endpoint.remedy?.contains("[provider] endpoint = \"http://ip-api.com\"") == true)
    }
}
