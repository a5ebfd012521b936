@testable import RecordKeeping

/// A provider that answers calls with the example record, and counts the calls to each endpoint in one quota window.
struct CountedProvider {
    /// The calls that are left in the window.
    private(set) var left: [Call.Endpoint: Int]
    /// The answered calls, in order.
    private(set) var answered: [Call] = []

    init(_ left: [Call.Endpoint: Int] = Settings.documentedLimits) {
        self.left = left
    }

    /// Answers the calls, and all calls that the answers lead to.
    mutating func answer(_ calls: [Call], in harness: KeeperHarness, resetsIn: Duration = .seconds(50)) {
        var open = calls[...]
        while let call = open.popFirst() { open += reply(to: call, in: harness, resetsIn: resetsIn).calls }
    }

    /// Answers one call.
    ///
    /// - Returns: the effects.
    mutating func reply(to call: Call, in harness: KeeperHarness, resetsIn: Duration = .seconds(50)) -> [Effect] {
        left[call.endpoint, default: 0] -= 1
        answered.append(call)
        return harness.reply(to: call, quota: ReportedQuota(remaining: left[call.endpoint], resetsIn: resetsIn))
    }

    /// Returns how many of these addresses were in answered calls to an endpoint.
    func count(of addresses: [IPAddress], at endpoint: Call.Endpoint) -> Int {
        let counted = Set(addresses)
        return answered.filter { $0.endpoint == endpoint }.flatMap(\.addresses).count { counted.contains($0) }
    }
}
