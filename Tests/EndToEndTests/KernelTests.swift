import Foundation
import Testing

/// The kernel sends more route events than the daemon can use.
@Suite(.serialized, .enabled(if: Namespaces.isPossible, "cannot create network namespaces; run as root"))
struct KernelTests {
    /// Adds and deletes ten thousand routes that do not concern the provider.
    private func flood(_ namespaces: Namespaces, also: String = "") throws {
        var lines: [String] = []
        for verb in ["add", "del"] {
            for number in 0..<10_000 {
                lines.append("route \(verb) 198.18.\(number / 250).\(1 + number % 250)/32 via 10.77.2.2")
            }
            if verb == "add" { lines.append(also) }
        }
        let (status, _, errors) = try Program.run(
            ["/usr/sbin/ip", "-n", namespaces.daemon, "-batch", "-"], input: lines.joined(separator: "\n") + "\n")
        try #require(status == 0, "\(errors)")
    }

    /// Returns the CPU time of a process in seconds (proc_pid_stat(5)).
    private func processorSeconds(of pid: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ").map(String.init) ?? []
        try #require(fields.count > 12)
        return (try #require(Double(fields[11])) + (try #require(Double(fields[12]))))
            / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Runs the body with a daemon that has a fresh record.
    private func withARecord(_ body: (Namespaces, Rig, Program) throws -> Void) throws {
        let namespaces = try Namespaces()
        try namespaces.change("route", "add", "default", "via", "10.77.1.2")
        let rig = try Rig(
            mockProvider: Rig.unlimited, bind: "\(Namespaces.providerV4):8080",
            surroundings: namespaces.surroundings, mockProviderPrefix: namespaces.providerPrefix)
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "fresh")
        try body(namespaces, rig, try #require(rig.daemon))
    }

    @Test func `a flood of route events raises no false alert and costs little, and a real loss is detected`() throws {
        try withARecord { namespaces, rig, daemon in
            let before = try processorSeconds(of: daemon.pid)
            try flood(namespaces)
            let began = Date()
            #expect(try rig.ipctl("status").status == 0)
            #expect(-began.timeIntervalSinceNow < 1)
            let used = try processorSeconds(of: daemon.pid) - before
            #expect(used < 2, "\(used) s of CPU time for 20,000 events")
            #expect(!daemon.lines.contains { $0.contains(MessageID.networkLost) })
            try flood(namespaces, also: "route del default")
            try daemon.waitForLine(containing: MessageID.networkLost, within: 5)
            try namespaces.change("route", "add", "default", "via", "10.77.1.2")
            try daemon.waitForLine(containing: MessageID.networkRestored, within: 5)
            #expect(daemon.lines.filter { $0.contains(MessageID.networkLost) }.count == 1)
        }
    }

    @Test func `a route loss is detected after the kernel has dropped its event`() throws {
        try withARecord { namespaces, rig, daemon in
            // While the daemon is stopped, the kernel's buffer overflows, and the relevant event is lost.
            kill(daemon.pid, SIGSTOP)
            try flood(namespaces)
            try namespaces.change("route", "del", "default")
            kill(daemon.pid, SIGCONT)
            try daemon.waitForLine(containing: MessageID.networkLost, within: 5)
            #expect((try rig.status()["network"] as? [String: Any])?["state"] as? String == "offline")
            try namespaces.change("route", "add", "default", "via", "10.77.1.2")
            try daemon.waitForLine(containing: MessageID.networkRestored, within: 5)
        }
    }
}
