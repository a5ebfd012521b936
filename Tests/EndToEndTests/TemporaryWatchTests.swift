import Foundation
import Testing

/// `ipctl add --for` with a daemon: watches that end by themselves.
@Suite(.serialized) struct TemporaryWatchTests {
    private static var now: Double { Date().timeIntervalSince1970 * 1_000 }

    /// Adds an address for a time, and returns the end of its watch in Unix milliseconds.
    private func add(_ address: String, for time: String, to rig: Rig) throws -> Double {
        #expect(try rig.ipctl("add", address, "--for", time).status == 0)
        return try #require(try rig.entry(address)["watchedUntil"] as? Double)
    }

    @Test func `a watch ends at its time, and its removal is an event`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        let monitor = try rig.monitor("removed")
        let end = try add("1.1.1.1", for: "5s", to: rig)
        try monitor.waitForLine(containing: "its watch has ended")
        #expect(Self.now >= end && Self.now < end + 10_000)
        #expect(try rig.entry("1.1.1.1")["watched"] as? Bool == false)
        let history = try rig.ipctl("history", "1.1.1.1")
        #expect(history.status == 1, "\(history)")
    }

    @Test func `a watch that ended while the daemon did not run is removed when it starts`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        let end = try add("1.1.1.1", for: "5s", to: rig)
        _ = try add("8.8.8.8", for: "1h", to: rig)
        try rig.daemon?.stop(with: SIGKILL)
        // No event signals that a time has passed.
        Thread.sleep(forTimeInterval: max(0, end - Self.now) / 1_000)
        try rig.startDaemon()
        let monitor = try rig.monitor("removed")
        try monitor.waitForLine(containing: "its watch has ended")
        #expect(try rig.entry("1.1.1.1")["watched"] as? Bool == false)
        #expect(try rig.entry("8.8.8.8")["watched"] as? Bool == true)
    }
}
