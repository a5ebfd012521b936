import Foundation
import MMDBSamples
import TestSupport
import Testing

/// Records of local databases without a route to the provider, and the provider's records once there is one.
@Suite(.serialized, .enabled(if: Namespaces.isPossible, "cannot create network namespaces; run as root"))
struct OfflineTests {
    private let samples: SampleFolder
    private let namespaces: Namespaces
    private let rig: Rig

    private static let address = "8.8.8.8"

    /// The daemon starts without a route to the provider.
    init() throws {
        samples = try SampleFolder()
        namespaces = try Namespaces()
        let city = try samples.put(Self.city("Northwater"), "city.mmdb")
        let asn = try samples.put(Self.asn(), "asn.mmdb")
        var surroundings = namespaces.surroundings
        surroundings.files = [samples.folder.path]
        rig = try Rig(
            mockProvider: Rig.unlimited,
            settings: [
                "refresh": "interval = \"2s\"", "provider": "timeout = \"2s\"",
                "offline": "databases = [\"\(city)\", \"\(asn)\"]",
            ],
            bind: "\(Namespaces.providerV4):8080", surroundings: surroundings,
            mockProviderPrefix: namespaces.providerPrefix)
        try daemon.waitForLine(containing: MessageID.networkLost)
        try daemon.waitForLine(containing: "loaded \(asn)")
    }

    private static func city(_ name: String, epoch: UInt64 = 1_767_225_600) throws -> [UInt8] {
        var sample = try MMDBSample(
            type: "GeoLite2-City",
            [
                "8.8.8.0/24": [
                    "city": ["names": ["en": .string(name)]], "country": ["iso_code": "US"],
                ]
            ])
        sample.buildEpoch = epoch
        return sample.bytes
    }

    private static func asn() throws -> [UInt8] {
        var sample = try MMDBSample(
            type: "GeoLite2-ASN",
            [
                "8.8.8.0/24": [
                    "autonomous_system_number": .uint32(64_496), "autonomous_system_organization": "Northwater",
                ]
            ])
        sample.buildEpoch = 1_767_312_000
        return sample.bytes
    }

    private var daemon: Program {
        get throws { try #require(rig.daemon) }
    }

    private func restoreRoute() throws {
        try namespaces.change("route", "add", "default", "via", "10.77.1.2")
    }

    /// Returns the record of the local databases beside an entry.
    private func offline(_ entry: [String: Any]) throws -> [String: Any] {
        try #require(entry["offline"] as? [String: Any], "\(entry)")
    }

    /// Returns a JSON object as text, with its members in order.
    private static func text(_ object: Any?) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: try #require(object), options: .sortedKeys)
        return String(decoding: data, as: UTF8.self)
    }

    private var cityInUse: String? {
        get throws { (try offline(rig.entry(Self.address))["record"] as? [String: Any])?["city"] as? String }
    }

    @Test func `an unknown address has a marked record, and the provider's within a second of the route`() throws {
        let entry = try rig.entry(Self.address, wait: 2)
        #expect(entry["state"] as? String == "failed" && entry["record"] == nil && entry["scannedAt"] == nil)
        #expect((entry["failure"] as? [String: Any])?["kind"] as? String == "offline")
        let offline = try offline(entry)
        #expect(offline["database"] as? String == "GeoLite2-City, GeoLite2-ASN")
        #expect(offline["builtAt"] as? Int == 1_767_225_600_000, "the older one")
        let record = try #require(offline["record"] as? [String: Any])
        #expect(record["city"] as? String == "Northwater" && record["asn"] as? Int == 64_496, "\(record)")

        let card = try rig.ipctl("show", Self.address)
        #expect(card.status == 75)
        #expect(card.output.contains("Offline  from GeoLite2-City, GeoLite2-ASN of 20"), "\(card.output)")
        #expect(card.output.contains("Offline place  Northwater\n"), "\(card.output)")
        let field = try rig.ipctl("show", Self.address, "--field", "city")
        #expect(field.status == 75 && field.output == "Northwater\n")
        #expect(field.errors.hasPrefix("ipctl: the record of 8.8.8.8 is offline, from GeoLite2-City, "), "\(field)")
        let table = try rig.ipctl("show", Self.address, "8.8.4.4")
        #expect(table.output.contains("failed, offline"), "\(table.output)")
        let fresh = try rig.ipctl("show", Self.address, "--fresh", "--field", "city")
        #expect(fresh.status == 75 && fresh.output == "")

        try restoreRoute()
        let before = Date()
        try daemon.waitForLine(containing: MessageID.networkRestored, within: 5)
        let online = try rig.ipctl("--json", "show", Self.address)
        #expect(-before.timeIntervalSinceNow < 1.0, "within a second")
        let now = try #require((try online.json["entries"] as? [[String: Any]])?.first)
        #expect(online.status == 0 && now["state"] as? String == "fresh" && now["offline"] == nil, "\(now)")
        #expect(now["record"] != nil && now["provider"] != nil)
        #expect(try !rig.ipctl("show", Self.address).output.contains("Offline"))
    }

    @Test func `a stale record keeps the provider's fields, with the local databases beside it`() throws {
        try restoreRoute()
        try daemon.waitForLine(containing: MessageID.networkRestored)
        try rig.ipctl("add", Self.address)
        let fresh = try rig.entry(Self.address, wait: 5)
        #expect(fresh["state"] as? String == "fresh" && fresh["offline"] == nil)
        let monitor = try rig.monitor("providerFailed")
        try rig.mockProvider?.stop(with: SIGKILL)
        // The daemon calls the provider again when the record has expired.
        try monitor.wait(for: "a failed refresh", within: 10) { $0.count(of: "providerFailed") > 0 ? true : nil }
        let stale = try rig.entry(Self.address)
        #expect(stale["state"] as? String == "stale")
        #expect(try Self.text(stale["record"]) == Self.text(fresh["record"]), "never mixed")
        #expect((try offline(stale)["record"] as? [String: Any])?["city"] as? String == "Northwater")
        let list = try rig.ipctl("--json", "list").json
        let listed = try #require((list["entries"] as? [[String: Any]])?.first)
        #expect(try Self.text(listed["offline"]) == Self.text(stale["offline"]))
        #expect(try rig.ipctl("show", Self.address, "--field", "city").output != "Northwater\n")
    }

    @Test func `a file is replaced by rename, and a truncated one keeps the old version`() throws {
        let path = samples.path("city.mmdb")
        #expect(try cityInUse == "Northwater")
        try samples.put(Self.city("Southwater", epoch: 1_767_400_000), "city.mmdb")
        try daemon.wait(for: "the new version", within: 5) {
            $0.count { $0.contains("loaded \(path)") } == 2 ? true : nil
        }
        #expect(try cityInUse == "Southwater")
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: 100)
        try file.close()
        let reason = "there is no metadata at the end of the file; it may be truncated"
        let line = try daemon.waitForLine(containing: reason, within: 5)
        #expect(line.contains("still using \(path) (GeoLite2-City, built 2026-01-03T"), "\(line)")
        #expect(try cityInUse == "Southwater")
        let databases = try #require(try rig.status()["databases"] as? [[String: Any]])
        #expect(databases.map { $0["state"] as? String } == ["failing", "ok"])
        #expect((databases[0]["message"] as? String)?.hasSuffix(reason) == true, "\(databases)")
        #expect(try rig.ipctl("status").output.contains(reason))
        #expect(try rig.ipctl("doctor").output.contains("! databases     \(path) is not a valid MMDB file: "))
        #expect(try daemon.lines.count { $0.contains(reason) } == 1, "logged once")
    }

    @Test func `a reload applies a change of the list of databases`() throws {
        try rig.configure(
            ["offline": "databases = [\"\(samples.path("asn.mmdb"))\"]", "provider": "timeout = \"2s\""],
            endpoint: rig.provider)
        kill(try daemon.pid, SIGHUP)
        try daemon.waitForLine(containing: "no longer using \(samples.path("city.mmdb"))", within: 5)
        let offline = try offline(rig.entry(Self.address))
        #expect(offline["database"] as? String == "GeoLite2-ASN")
        #expect((offline["record"] as? [String: Any])?["city"] == nil)
    }
}
