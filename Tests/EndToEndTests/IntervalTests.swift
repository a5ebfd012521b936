import Foundation
import Testing

/// The interval of refreshes, as the provider sees it.
@Suite(.serialized) struct IntervalTests {
    private let addresses = (1...50).map { "1.0.\($0).1" }

    @Test func `each address is fetched once an interval, and never sooner`() throws {
        let rig = try Rig(
            mockProvider: Rig.unlimited, settings: ["refresh": "interval = \"3s\""])
        let monitor = try rig.monitor("refreshed")
        _ = try rig.ipctl(["add"] + addresses)
        // Ten intervals, with queries in between that cause no calls.
        var shown = 0
        try monitor.wait(for: "ten records of each address", within: 60) { lines in
            let refreshed = lines.count(of: "refreshed")
            if refreshed > shown {
                shown = refreshed
                let answer = try? rig.ipctl("show", addresses[shown % addresses.count])
                if answer?.status != 0 { Issue.record("a concurrent show failed") }
            }
            return refreshed >= 50 * 10 ? true : nil
        }
        let calls = try rig.calls()
        for address in addresses {
            let times = calls.filter { $0.addresses.contains(address) }.map(\.second)
            #expect(times.count >= 10)
            for (earlier, later) in zip(times, times.dropFirst()) {
                #expect(later - earlier >= 3.0, "\(address) was refreshed after \(later - earlier) s")
                #expect(later - earlier <= 3.5, "\(address) was refreshed only after \(later - earlier) s")
            }
        }
    }

    @Test func `a restart within the interval makes no call, and exactly one when the record expires`() throws {
        let rig = try Rig(
            mockProvider: Rig.unlimited, settings: ["refresh": "interval = \"4s\""])
        let first = try rig.monitor("refreshed")
        _ = try rig.ipctl(["add"] + addresses)
        try first.wait(for: "all records") { $0.count(of: "refreshed") >= 50 ? true : nil }
        let before = try rig.calls()
        #expect(try rig.daemon?.stop() == 0)
        try rig.startDaemon()
        #expect(try rig.entry(addresses[0])["state"] as? String == "fresh")
        #expect(try rig.calls().count == before.count)
        let second = try rig.monitor("refreshed")
        try second.wait(for: "all records once more") { $0.count(of: "refreshed") >= 50 ? true : nil }
        let after = try rig.calls()
        for address in addresses {
            let times = after.filter { $0.addresses.contains(address) }.map(\.second)
            #expect(times.count == 2)
            #expect(times[1] - times[0] >= 4.0)
        }
    }
}
