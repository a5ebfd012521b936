import Foundation
import Testing

/// The route to the provider is lost and restored in each of the forms that the kernel has.
@Suite(.serialized, .enabled(if: Namespaces.isPossible, "cannot create network namespaces; run as root"))
struct ConnectivityTests {
    private func rig(
        _ namespaces: Namespaces, bind: String = "\(Namespaces.providerV4):8080", interval: String = "2s"
    ) throws -> Rig {
        try Rig(
            mockProvider: Rig.unlimited,
            settings: ["refresh": "interval = \"\(interval)\"", "provider": "timeout = \"2s\""], bind: bind,
            surroundings: namespaces.surroundings, mockProviderPrefix: namespaces.providerPrefix)
    }

    /// Expects a fresh record, an alert and a stale record after the loss, and a fresh record after the return.
    ///
    /// - Parameters:
    ///   - remove: removes the route.
    ///   - restore: restores the route.
    private func expectLossAndReturn(
        _ rig: Rig, remove: () throws -> Void, restore: () throws -> Void
    ) throws {
        let daemon = try #require(rig.daemon)
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "fresh")
        #expect((try rig.status()["network"] as? [String: Any])?["state"] as? String == "online")

        let before = Date()
        try remove()
        try daemon.waitForLine(containing: MessageID.networkLost, within: 5)
        #expect(-before.timeIntervalSinceNow < 1.0, "within a second")
        let network = try #require(try rig.status()["network"] as? [String: Any])
        #expect(network["state"] as? String == "offline")
        #expect(network["reason"] as? String != nil)

        // While offline, an expired record causes no call.
        let calls = try rig.calls().count
        let monitor = try rig.monitor("refreshed")
        let expiry = try #require(try rig.entry("1.1.1.1")["expiresAt"] as? Double)
        Self.waitUntil(milliseconds: expiry + 500)
        let stale = try rig.entry("1.1.1.1", wait: 2)
        #expect(stale["state"] as? String == "stale")
        #expect(stale["record"] != nil && stale["scannedAt"] != nil)
        #expect((stale["failure"] as? [String: Any])?["kind"] as? String == "offline")
        let card = try rig.ipctl("show", "1.1.1.1")
        #expect(card.output.contains("stale") && card.output.contains("scanned "), "\(card.output)")
        #expect(try rig.calls().count == calls)

        try restore()
        try daemon.waitForLine(containing: MessageID.networkRestored, within: 5)
        try monitor.wait(for: "a new record", within: 5) { $0.count(of: "refreshed") > 0 ? true : nil }
        #expect((try rig.status()["network"] as? [String: Any])?["state"] as? String == "online")
        #expect(daemon.lines.filter { $0.contains(MessageID.networkLost) }.count == 1, "exactly one alert")
        #expect(daemon.lines.filter { $0.contains(MessageID.networkRestored) }.count == 1)
        #expect(!daemon.lines.contains { $0.contains("providerFailed") }, "no failure is attributed to the provider")
    }

    /// Waits until a point in time: no event signals that a record expires.
    private static func waitUntil(milliseconds: Double) {
        Thread.sleep(until: Date(timeIntervalSince1970: milliseconds / 1_000))
    }

    @Test func `a route is deleted and added`() throws {
        let namespaces = try Namespaces()
        try namespaces.change("route", "add", "default", "via", "10.77.1.2")
        try expectLossAndReturn(
            try rig(namespaces), remove: { try namespaces.change("route", "del", "default") },
            restore: { try namespaces.change("route", "add", "default", "via", "10.77.1.2") })
    }

    @Test func `the link is set down and up`() throws {
        let namespaces = try Namespaces()
        try namespaces.change("route", "add", "default", "via", "10.77.1.2")
        try expectLossAndReturn(
            try rig(namespaces), remove: { try namespaces.change("link", "set", "way1", "down") },
            restore: {
                try namespaces.change("link", "set", "way1", "up")
                try namespaces.change("route", "add", "default", "via", "10.77.1.2")
            })
    }

    @Test func `an unreachable route is added and deleted`() throws {
        let namespaces = try Namespaces()
        try namespaces.change("route", "add", "default", "via", "10.77.1.2")
        try expectLossAndReturn(
            try rig(namespaces),
            remove: { try namespaces.change("route", "add", "unreachable", "\(Namespaces.providerV4)/32") },
            restore: { try namespaces.change("route", "del", "unreachable", "\(Namespaces.providerV4)/32") })
    }

    @Test func `an IPv6 route is deleted and added`() throws {
        let namespaces = try Namespaces()
        try namespaces.change("-6", "route", "add", "default", "via", "fd77:1::2")
        try expectLossAndReturn(
            try rig(namespaces, bind: "[\(Namespaces.providerV6)]:8080"),
            remove: { try namespaces.change("-6", "route", "del", "default") },
            restore: { try namespaces.change("-6", "route", "add", "default", "via", "fd77:1::2") })
    }

    @Test func `another default route to the provider is used without an alert`() throws {
        let namespaces = try Namespaces()
        try namespaces.change("route", "add", "default", "via", "10.77.1.2", "metric", "100")
        try namespaces.change("route", "add", "default", "via", "10.77.2.2", "metric", "200")
        let rig = try rig(namespaces)
        let daemon = try #require(rig.daemon)
        let monitor = try rig.monitor("refreshed")
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "fresh")
        try namespaces.change("route", "del", "default", "via", "10.77.1.2")
        // Two more records arrive over the other route.
        let seen = monitor.lines.count(of: "refreshed")
        try monitor.wait(for: "records over the other route", within: 15) {
            $0.count(of: "refreshed") >= seen + 2 ? true : nil
        }
        #expect(!daemon.lines.contains { $0.contains(MessageID.networkLost) })
        #expect((try rig.status()["network"] as? [String: Any])?["state"] as? String == "online")
    }

    @Test func `the daemon starts without a network, and goes online later`() throws {
        let namespaces = try Namespaces()
        let rig = try rig(namespaces)
        try rig.daemon?.waitForLine(containing: MessageID.networkLost)
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "failed")
        try namespaces.change("route", "add", "default", "via", "10.77.1.2")
        try rig.daemon?.waitForLine(containing: MessageID.networkRestored)
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "fresh")
    }
}
