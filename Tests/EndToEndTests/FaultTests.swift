import Foundation
import Testing

/// Each fault of the provider: what is told while it lasts, and that it passes.
@Suite(.serialized) struct FaultTests {
    @Test(arguments: [
        ("status429", "throttled"), ("status5xx=500", "rejected"), ("status5xx=503", "rejected"), ("hang", "timeout"),
        ("reset", "unreachable"), ("truncated", "malformed"), ("html", "malformed"), ("notJSON", "malformed"),
        ("emptyBody", "malformed"), ("missingElement", "malformed"), ("forbidden", "unauthorized"),
        ("redirect", "rejected"), ("endlessBody", "malformed"), ("drip=2s", "timeout"),
    ])
    func `a fault is told with its kind and passes`(fault: String, kind: String) throws {
        let rig = try Rig(
            standIn: Rig.unlimited + ["--fault", fault],
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

    @Test(arguments: ["wrongOrder", "extraElement", "duplicateElement", "numbersAsStrings", "nullFields", "slow=500ms"])
    func `a reply that is odd but whole is a record`(fault: String) throws {
        let rig = try Rig(standIn: Rig.unlimited + ["--fault", fault])
        try rig.ipctl("add", "1.1.1.1", "8.8.8.8", "9.9.9.9")
        for address in ["1.1.1.1", "8.8.8.8", "9.9.9.9"] {
            #expect(try rig.entry(address, wait: 10)["state"] as? String == "fresh")
        }
    }

    @Test func `a record that changes is told field by field`() throws {
        let rig = try Rig(
            standIn: Rig.unlimited, settings: ["refresh": "interval = \"1s\""])
        let monitor = try rig.monitor("changed")
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["changedAt"] == nil)
        try rig.administer("POST", "change?address=1.1.1.1")
        let line = try monitor.waitForLine(containing: "\"kind\":\"changed\"")
        #expect(line.contains("\"fields\""))
        #expect(try rig.entry("1.1.1.1")["changedAt"] != nil)
    }
}
