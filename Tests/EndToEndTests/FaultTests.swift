import Foundation
import Testing

/// Each fault of the provider is reported while it lasts, and ends.
@Suite(.serialized) struct FaultTests {
    @Test(arguments: [
        ("status429", "throttled"), ("status5xx=500", "rejected"), ("status5xx=503", "rejected"), ("hang", "timeout"),
        ("reset", "unreachable"), ("truncated", "malformed"), ("html", "malformed"), ("notJSON", "malformed"),
        ("emptyBody", "malformed"), ("missingElement", "malformed"), ("forbidden", "unauthorized"),
        ("redirect", "rejected"), ("endlessBody", "malformed"), ("drip=2s", "timeout"),
    ])
    func `a fault is reported as the right kind of failure, until it ends`(fault: String, kind: String) throws {
        let rig = try Rig(
            mockProvider: Rig.unlimited + ["--fault", fault],
            settings: ["provider": "timeout = \"1s\""])
        try rig.ipctl("add", "1.1.1.1", "8.8.8.8")
        let shown = try rig.entry("1.1.1.1", wait: 5)
        let failure = try #require(shown["failure"] as? [String: Any], "\(shown)")
        #expect(failure["kind"] as? String == kind, "\(failure)")
        #expect(shown["state"] as? String == "failed")
        try rig.administer("DELETE", "fault")
        let well = try rig.entry("1.1.1.1", wait: 90)
        #expect(well["state"] as? String == "fresh", "\(well)")
        #expect(well["failure"] == nil)
    }

    @Test(arguments: [("batch", "single"), ("single", "batch")])
    func `while one endpoint fails, the other serves all addresses`(failing: String, other: String) throws {
        let rig = try Rig(mockProvider: Rig.unlimited, settings: ["refresh": "interval = \"1s\""])
        let monitor = try rig.monitor("providerFailed", "providerRecovered")
        try rig.administer("POST", "fault?name=forbidden&endpoint=\(failing)")
        // The single endpoint serves one address, and the batch endpoint several.
        let addresses = failing == "single" ? ["1.1.1.1"] : ["1.1.1.1", "8.8.8.8", "9.9.9.9"]
        try rig.ipctl(["add"] + addresses)
        for address in addresses {
            #expect(try rig.entry(address, wait: 10)["state"] as? String == "fresh")
        }
        let failed = try monitor.waitForLine(containing: "\"providerFailed\"")
        #expect(failed.contains("\(failing) calls fail: "), "\(failed)")
        #expect(Set(try rig.calls().filter { $0.status == 200 }.map(\.endpoint)) == [other])
        #expect(try rig.ipctl("outages").status == 1, "the provider as a whole works")
        try rig.administer("DELETE", "fault")
        let recovered = try monitor.waitForLine(containing: "\"providerRecovered\"")
        #expect(recovered.contains("\(failing) calls succeed again"), "\(recovered)")
    }

    @Test func `the provider's request to wait is observed, even if the user requests a refresh`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited + ["--fault", "unavailable=4s"])
        try rig.ipctl("add", "1.1.1.1")
        let failed = try rig.entry("1.1.1.1", wait: 5)
        #expect(failed["state"] as? String == "failed", "\(failed)")
        // While one of the endpoints is called, no next attempt is scheduled.
        let deadline = Date(timeIntervalSinceNow: 10)
        var failure: [String: Any]?
        repeat {
            failure = try rig.entry("1.1.1.1")["failure"] as? [String: Any]
        } while failure?["nextAttemptAt"] == nil && deadline.timeIntervalSinceNow > 0
        #expect(failure?["nextAttemptAt"] != nil, "\(failure as Any)")
        try rig.administer("DELETE", "fault")
        try rig.ipctl("refresh", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 30)["state"] as? String == "fresh")
        let calls = try rig.calls()
        #expect(Set(calls.filter { $0.status == 503 }.map(\.endpoint)) == ["single", "batch"])
        for success in calls where success.status == 200 {
            let refusal = try #require(calls.last { $0.status == 503 && $0.endpoint == success.endpoint })
            #expect(success.second - refusal.second >= 4)
        }
    }

    @Test(arguments: ["wrongOrder", "extraElement", "duplicateElement", "numbersAsStrings", "nullFields", "slow=500ms"])
    func `an unusual but complete reply is a record`(fault: String) throws {
        let rig = try Rig(mockProvider: Rig.unlimited + ["--fault", fault])
        try rig.ipctl("add", "1.1.1.1", "8.8.8.8", "9.9.9.9")
        for address in ["1.1.1.1", "8.8.8.8", "9.9.9.9"] {
            #expect(try rig.entry(address, wait: 10)["state"] as? String == "fresh")
        }
    }

    @Test func `a changed record is published with its changed fields`() throws {
        let rig = try Rig(
            mockProvider: Rig.unlimited, settings: ["refresh": "interval = \"1s\""])
        let monitor = try rig.monitor("changed")
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["changedAt"] == nil)
        try rig.administer("POST", "change?address=1.1.1.1")
        let line = try monitor.waitForLine(containing: "\"kind\":\"changed\"")
        #expect(line.contains("\"fields\""))
        #expect(try rig.entry("1.1.1.1")["changedAt"] != nil)
    }
}
