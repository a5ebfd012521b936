import Foundation
import RecordKeeping
import Testing

@testable import Daemon

@Suite struct SystemClockTests {
    @Test func `the boot clock counts from the boot of the machine`() throws {
        let text = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
        let uptime = try #require(text.split(separator: " ").first.flatMap { Double($0) })
        let boot = Double(SystemClock.now.boot.nanoseconds) / 1e9
        #expect((uptime - 0.02...uptime + 5).contains(boot))
    }

    @Test func `the wall clock shows the system's time`() {
        let before = Int64(Date().timeIntervalSince1970 * 1_000)
        let now = SystemClock.now.wall.milliseconds
        #expect((before - 1...before + 5_000).contains(now))
    }

    @Test func `the boot clock never goes back`() {
        let times = (0..<10_000).map { _ in SystemClock.now.boot }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func `the boot id is the kernel's, without the newline`() throws {
        let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #expect(SystemClock.bootID == text.trimmingCharacters(in: .newlines))
        #expect(UUID(uuidString: SystemClock.bootID) != nil)
    }
}
