import Foundation
import Testing

@Suite(.serialized) struct QuotaTests {
    /// Covers two windows of 15 batches, with windows of six seconds instead of the provider's minute.
    @Test func `two thousand new addresses use the quota fully and never exceed it`() throws {
        let rig = try Rig(
            mockProvider: ["--single-quota", "45", "--batch-quota", "15", "--window", "6"],
            settings: ["refresh": "interval = \"5m\""])
        let addresses = (0..<2_000).map { "1.0.\($0 / 250).\($0 % 250 + 1)" }
        let monitor = try rig.monitor("refreshed")
        try rig.ipctl("add", "--file", "-", input: addresses.joined(separator: "\n"))
        try monitor.wait(for: "all records", within: 60) { $0.count(of: "refreshed") >= 2_000 ? true : nil }
        let calls = try rig.calls()
        #expect(calls.allSatisfy { $0.status == 200 }, "no 429")
        for endpoint in ["batch", "single"] {
            expectNothingAfterTheQuotaWasUsedUp(calls.filter { $0.endpoint == endpoint })
        }
        // Concurrent calls overtake each other, so only the number of partial batches is certain: one at most, the
        // last.
        let partial = calls.filter { $0.endpoint == "batch" && $0.addresses.count < 100 }
        #expect(partial.count <= 1, "batches below 100 while 100 or more were due: \(partial.map(\.addresses.count))")
        #expect(Set(calls.flatMap(\.addresses)).count == 2_000)
        #expect(calls.flatMap(\.addresses).count == 2_000, "each address is called once")
        let firstWindow = calls.filter { $0.endpoint == "batch" && $0.second < calls[0].second + 6 }
        #expect(firstWindow.count == 15)
    }

    /// The provider's documented quota, in windows of a minute.
    private static let documentedQuota = ["--single-quota", "45", "--batch-quota", "15", "--window", "60"]

    @Test func `22 lookups one by one within a minute are each answered at once`() throws {
        let rig = try Rig(mockProvider: Self.documentedQuota)
        let clock = ContinuousClock()
        let began = clock.now
        for number in 1...22 {
            let asked = clock.now
            let answer = try rig.ipctl("show", "1.0.0.\(number)")
            #expect(answer.status == 0, "lookup \(number): \(answer)")
            #expect(clock.now - asked < .seconds(3), "lookup \(number)")
        }
        #expect(clock.now - began < .seconds(60))
    }

    @Test func `a lookup by root is answered at once behind 9,990 of another user`() throws {
        let rig = try Rig(mockProvider: Self.documentedQuota)
        let addresses = (0..<9_990).map { "1.\($0 / 62_500).\($0 / 250 % 250).\($0 % 250 + 1)" }
        let anyone = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        let ipctl = anyone + [Rig.program("ipctl"), "--socket", rig.socket]
        let shown = try Program.run(
            ipctl + ["show", "--file", "-", "--wait", "0"], input: addresses.joined(separator: "\n"))
        #expect(!shown.errors.contains("limit"), "\(shown.errors)")
        let clock = ContinuousClock()
        let asked = clock.now
        let answer = try rig.ipctl("show", "9.9.9.9")
        #expect(answer.status == 0, "\(answer)")
        #expect(clock.now - asked < .seconds(2))
    }

    private func expectNothingAfterTheQuotaWasUsedUp(_ calls: [Rig.ProviderCall]) {
        for (index, call) in calls.enumerated() where call.remaining == 0 && index + 1 < calls.count {
            // The window opened with its first request, six seconds before its end.
            let window = calls.last {
                $0.number <= call.number && ($0.remaining ?? 0) >= (call.endpoint == "batch" ? 14 : 44)
            }
            let end = (window?.second ?? call.second) + 6
            #expect(calls[index + 1].second >= end, "a request in a window whose quota was used up")
        }
    }
}
