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

    /// In this world, the promise cannot be kept. `make simulate-change` checks the other worlds of this kind.
    @Test func `a broken promise is detected`() throws {
        #expect(try Sabotage.forgetfulDisk.firstDetection(in: 1...4, length: Self.hour) != nil)
    }

    @Test func `shrinking finds a small plan that breaks the same promise`() throws {
        var plan = Plan(seed: 2, length: Self.hour)
        plan.sabotage = .forgetfulDisk
        let violation = try #require(try Simulation.run(plan).violation)
        var shrinking = Shrinking(plan, violation: violation, runs: 100, margin: Self.hour)
        let smallest = try shrinking.shrink()
        #expect(smallest.violation?.promise == violation.promise)
        #expect(shrinking.plan.acts.count < min(10, plan.acts.count), "one acknowledged change is enough")
    }

    @Test func `a cancelled run ends`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try Simulation.run(Plan(seed: 1, length: Self.hour))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
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
