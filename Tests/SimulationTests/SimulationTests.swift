import Foundation
import Simulation
import TestSupport
import Testing

/// The daemon's core in simulated time. `make simulate` runs more and longer simulations.
struct SimulationTests {
    private static let hour = Duration.seconds(3_600)

    @Test(arguments: 1...UInt64(4)) func `every promise is kept`(seed: UInt64) throws {
        let outcome = try Simulation.run(Plan(seed: seed, length: Self.hour))
        #expect(outcome.violation == nil, "seed \(seed): \(outcome.violation.map { "\($0)" } ?? "")")
    }

    /// Each of these worlds makes one promise impossible to keep, which the checks have to detect.
    @Test(arguments: [
        (Sabotage.forgetfulDisk, "an acknowledged change is on disk"), (.strictProvider, "the quota is never exceeded"),
        (.silentKernel, "is reported at once"), (.fastClock, "no call before the interval ends"),
        (.lostAnswers, "every call gets its reply in time"),
    ])
    func `a broken promise is detected`(sabotage: Sabotage, promise: String) throws {
        var broken: Set<String> = []
        for seed in 1...UInt64(60) where !broken.contains(where: { $0.hasSuffix(promise) }) {
            var plan = Plan(seed: seed, length: Self.hour * 3)
            plan.sabotage = sabotage
            if let violation = try Simulation.run(plan).violation { broken.insert(violation.promise) }
        }
        #expect(broken.contains { $0.hasSuffix(promise) }, "\(broken.sorted())")
    }

    @Test func `shrinking finds a small plan that breaks the same promise`() throws {
        var plan = Plan(seed: 2, length: Self.hour)
        plan.sabotage = .forgetfulDisk
        let violation = try #require(try Simulation.run(plan).violation)
        var shrinking = Shrinking(plan, violation: violation, runs: 100)
        let smallest = try shrinking.shrink()
        #expect(smallest.violation?.promise == violation.promise)
        #expect(shrinking.plan.acts.count < min(10, plan.acts.count), "one acknowledged change is enough")
    }

    /// Two processes are compared, since the order of hashed collections may differ only between processes.
    @Test func `the same seed gives the same run in every process`() throws {
        let digests = try (0..<2).map { _ in
            let ended = try PipedProgram.run(
                [BuiltProgram.path("simulate"), "--seeds", "2", "--hours", "1", "--digest"])
            #expect(ended.status == 0, "\(ended)")
            return ended.output.split(separator: "\n").prefix(2).map(String.init)
        }
        #expect(digests[0].count == 2)
        #expect(digests[0] == digests[1])
    }
}
