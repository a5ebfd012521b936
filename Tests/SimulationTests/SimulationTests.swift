import Foundation
import Simulation
import TestSupport
import Testing

/// The daemon's core in simulated time. `make simulate` runs more and longer simulations.
struct SimulationTests {
    private static let hour = Duration.seconds(3_600)

    @Test(arguments: 1...UInt64(12)) func `every promise is kept`(seed: UInt64) throws {
        let outcome = try Simulation.run(Plan(seed: seed, length: Self.hour))
        #expect(outcome.violation == nil, "seed \(seed): \(outcome.violation.map { "\($0)" } ?? "")")
    }

    /// A seed that once broke a promise, with a description of the error, and the second by which it had occurred.
    struct Found: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let seed: UInt64
        let second: Int

        init(_ seed: UInt64, by second: Int, _ found: String) {
            (self.seed, self.second, testDescription) = (seed, second, found)
        }
    }

    @Test(arguments: [
        Found(2, by: 13_970, "the quota of one provider was applied to another"),
        Found(2, by: 52_930, "an address removed and added again during its call was called for twice"),
        Found(7, by: 54_600, "a call delayed by a suspend arrived after the daemon had been killed"),
        Found(8, by: 21_340, "a call lost at a window's end was not counted in the next window"),
        Found(25, by: 34_050, "a late reply was attributed to another window"),
        Found(53, by: 45_120, "the first reply after a restart was attributed to the previous window"),
        Found(93, by: 19_740, "a late refusal from the previous window ended the current one"),
        Found(1_324, by: 39_580, "a call lost before its window's end was known was not counted in the next window"),
        Found(9_149, by: 66_110, "only one of two calls that arrived after a restart was counted"),
    ])
    func `a seed that once broke a promise no longer breaks it`(found: Found) throws {
        let outcome = try Simulation.run(
            Plan(seed: found.seed, length: .seconds(86_400)), until: .seconds(found.second))
        #expect(outcome.violation == nil, "seed \(found.seed): \(outcome.violation.map { "\($0)" } ?? "")")
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
                [BuiltProgram.path("simulate"), "--seeds", "6", "--hours", "1", "--digest"])
            #expect(ended.status == 0, "\(ended)")
            return ended.output.split(separator: "\n").prefix(6).map(String.init)
        }
        #expect(digests[0].count == 6)
        #expect(digests[0] == digests[1])
    }
}
