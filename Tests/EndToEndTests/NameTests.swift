import Foundation
import Testing

/// The provider's name: one that is not there, that moves, and that nobody answers for.
@Suite(.serialized, .enabled(if: Namespaces.isPossible, "mount namespaces cannot be made here: run as root"))
struct NameTests {
    private static let name = "provider.test"
    private static let unlimited = ["--single-quota", "none", "--batch-quota", "none"]

    /// A daemon that knows the provider by its name.
    private func rig(_ surroundings: Surroundings, interval: String = "1s") throws -> Rig {
        let rig = try Rig(standIn: Self.unlimited, surroundings: surroundings)
        try rig.daemon?.stop()
        let port = try #require(rig.provider.split(separator: ":").last)
        try rig.configure(
            ["refresh": "interval = \"\(interval)\"", "provider": "timeout = \"2s\""],
            endpoint: "http://\(Self.name):\(port)")
        try rig.startDaemon()
        return rig
    }

    @Test func `a name that is not there is told, and used once it is`() throws {
        let rig = try rig(Surroundings(hosts: "127.0.0.1 other.test", nameServer: "127.0.0.1"), interval: "300s")
        try rig.ipctl("add", "1.1.1.1")
        let failure = try #require(try rig.entry("1.1.1.1", wait: 5)["failure"] as? [String: Any])
        #expect(failure["kind"] as? String == "unreachable", "\(failure)")
        #expect((failure["message"] as? String)?.contains(Self.name) == true, "\(failure)")
        try rig.changeHosts("127.0.0.1 \(Self.name)")
        #expect(try rig.entry("1.1.1.1", wait: 60)["state"] as? String == "fresh")
    }

    @Test func `a name that moves is followed`() throws {
        let rig = try rig(Surroundings(hosts: "127.0.0.1 \(Self.name)"))
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "fresh")
        let port = try #require(rig.provider.split(separator: ":").last)
        try rig.standIn?.stop(with: SIGKILL)
        let moved = try Program(
            [Rig.program("ip-api-stand-in"), "--bind", "127.0.0.2:\(port)"] + Self.unlimited)
        try moved.waitForLine(containing: "listening on ")
        let monitor = try rig.monitor("refreshed")
        try rig.changeHosts("127.0.0.2 \(Self.name)")
        try monitor.wait(for: "a record from where it is now", within: 60) {
            $0.count(of: "refreshed") > 0 ? true : nil
        }
    }

    @Test func `while the name server is mute, clients are answered, and the end is prompt`() throws {
        let address = "127.0.0.77"
        let mute = try Program([Service.top + "Tests/Support/mute-dns", address])
        try mute.waitForLine(containing: "listening")
        let rig = try rig(Surroundings(nameServer: address))
        try rig.ipctl("add", "1.1.1.1")
        try mute.waitForLine(containing: "asked")
        for _ in 0..<20 {
            let began = Date()
            #expect(try rig.ipctl("status").status == 0)
            #expect(-began.timeIntervalSinceNow < 1)
        }
        let entry = try rig.entry("1.1.1.1", wait: 8)
        let failure = try #require(entry["failure"] as? [String: Any], "\(entry)")
        #expect(failure["kind"] as? String == "timeout", "\(failure)")
        let began = Date()
        #expect(try rig.daemon?.stop() == 0)
        #expect(-began.timeIntervalSinceNow < 5)
    }
}
