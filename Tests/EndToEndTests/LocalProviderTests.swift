import Foundation
import MMDBSamples
import TestSupport
import Testing

/// `kind = "mmdb"` with a daemon in a namespace without any network.
@Suite(.serialized, .enabled(if: Namespaces.isPossible, "cannot create network namespaces; run as root"))
struct LocalProviderTests {
    /// Deleted with this value.
    private let namespaces: Namespaces
    private let samples: SampleFolder
    private let rig: Rig

    private static let address = "8.8.8.8"

    init() throws {
        namespaces = try Namespaces()
        for link in ["way1", "way2"] { try namespaces.change("link", "delete", link) }
        samples = try SampleFolder()
        try samples.put(Self.city("Northwater"), "city.mmdb")
        var surroundings = namespaces.surroundings
        surroundings.files = [samples.folder.path]
        rig = try Rig(
            settings: Self.settings(samples), bind: "\(Namespaces.providerV4):8080", isLocal: true,
            surroundings: surroundings,
            mockProviderPrefix: namespaces.providerPrefix)
    }

    private static func settings(_ samples: SampleFolder) -> [String: String] {
        ["provider": "kind = \"mmdb\"", "offline": "databases = [\"\(samples.path("city.mmdb"))\"]"]
    }

    private static func city(_ name: String) throws -> [UInt8] {
        try MMDBSample(
            type: "GeoLite2-City",
            ["8.8.8.0/24": ["city": ["names": ["en": .string(name)]], "country": ["iso_code": "US"]]]
        ).bytes
    }

    private var daemon: Program {
        get throws { try #require(rig.daemon) }
    }

    private func city(of entry: [String: Any]) -> String? {
        (entry["record"] as? [String: Any])?["city"] as? String
    }

    /// Returns an entry as text, with its members in order.
    private static func text(_ entry: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: entry, options: .sortedKeys), as: UTF8.self)
    }

    /// Watches the address, and returns its entry with the first record.
    private func add() throws -> [String: Any] {
        #expect(try rig.ipctl("add", Self.address).status == 0)
        return try rig.entry(Self.address, wait: 5)
    }

    @Test func `records come from the databases, without a network, a call or an expiry`() throws {
        let entry = try add()
        #expect(entry["state"] as? String == "fresh" && city(of: entry) == "Northwater", "\(entry)")
        #expect(entry["provider"] as? String == "GeoLite2-City" && entry["expiresAt"] == nil)
        let unknown = try rig.entry("9.9.9.9", wait: 5)
        #expect(unknown["state"] as? String == "empty", "\(unknown)")
        #expect(unknown["reason"] as? String == "not in the local databases")
        let card = try rig.ipctl("show", Self.address)
        #expect(card.status == 0 && card.output.contains("current until the local databases change"), "\(card.output)")
        let status = try rig.ipctl("status").output
        #expect(status.contains("not needed: the records come from local databases"), "\(status)")
        #expect(
            status.contains("local databases, ok") && status.contains("GeoLite2-City of ") && !status.contains("Quota"),
            "\(status)")
        let doctor = try rig.ipctl("doctor").output
        #expect(doctor.contains("no address is sent to anyone") && doctor.contains("have no quota"), "\(doctor)")
        #expect(try rig.ipctl("refresh").output.contains("nothing to refresh"))
        #expect(try rig.calls().isEmpty)
        #expect(try !daemon.lines.contains { $0.contains(MessageID.networkLost) })
    }

    @Test func `a file that is replaced by rename brings its changes to the history`() throws {
        _ = try add()
        let monitor = try rig.monitor("changed")
        try samples.put(Self.city("Southwater"), "city.mmdb")
        try monitor.waitForLine(containing: "Southwater")
        let entry = try rig.entry(Self.address)
        #expect(entry["state"] as? String == "fresh" && city(of: entry) == "Southwater", "\(entry)")
        let history = try rig.ipctl("history", Self.address).output
        #expect(history.contains("Northwater") && history.contains("Southwater"), "\(history)")
    }

    @Test func `a broken file keeps the old one, and its records stay current`() throws {
        let before = try add()
        try samples.put(Array(Self.city("Southwater").prefix(100)), "city.mmdb")
        try daemon.waitForLine(containing: "still using \(samples.path("city.mmdb"))")
        #expect(try Self.text(rig.entry(Self.address)) == Self.text(before))
    }

    @Test func `after a restart, the same file keeps the records, and another file replaces them`() throws {
        let before = try add()
        try daemon.stop()
        try rig.startDaemon()
        #expect(try Self.text(rig.entry(Self.address)) == Self.text(before))
        try daemon.stop(with: SIGKILL)
        try samples.put(Self.city("Southwater"), "city.mmdb")
        try rig.startDaemon()
        let after = try rig.entry(Self.address, wait: 5)
        #expect(after["state"] as? String == "fresh" && city(of: after) == "Southwater", "\(after)")
    }

    @Test func `a record of the databases is not current for a provider on the network, and the reverse`() throws {
        let before = try add()
        try daemon.stop()
        try rig.configure([:], endpoint: rig.provider)
        try rig.startDaemon()
        try daemon.waitForLine(containing: MessageID.networkLost)
        let stale = try rig.entry(Self.address)
        #expect(stale["state"] as? String == "stale" && stale["provider"] as? String == "GeoLite2-City", "\(stale)")
        #expect(stale["expiresAt"] == nil)
        try daemon.stop()
        try rig.configure(Self.settings(samples), endpoint: nil)
        try rig.startDaemon()
        try daemon.waitForLine(containing: MessageID.networkRestored)
        #expect(try Self.text(rig.entry(Self.address)) == Self.text(before))
    }

    @Test func `without a readable file, addresses fail, and the first file is used at once`() throws {
        try daemon.stop()
        try FileManager.default.removeItem(atPath: samples.path("city.mmdb"))
        try rig.startDaemon()
        let failed = try add()
        #expect(failed["state"] as? String == "failed", "\(failed)")
        let failure = try #require(failed["failure"] as? [String: Any])
        #expect(failure["kind"] as? String == "unreachable")
        #expect((failure["message"] as? String)?.contains(samples.path("city.mmdb")) == true, "\(failure)")
        let monitor = try rig.monitor("providerRecovered")
        try samples.put(Self.city("Northwater"), "city.mmdb")
        try monitor.waitForLine(containing: "providerRecovered")
        #expect(try rig.entry(Self.address, wait: 5)["state"] as? String == "fresh")
    }
}
