import FleetSimulation
import Simulation
import TestSupport
import Testing

/// The fleet protocol in simulated time. `make simulate-fleet` runs more and longer simulations.
struct FleetSimulationTests {
    @Test(arguments: 1...UInt64(12)) func `every promise is kept`(seed: UInt64) throws {
        let outcome = try FleetSimulation.run(FleetPlan(seed: seed, length: .seconds(600)))
        #expect(outcome.violation == nil, "seed \(seed): \(outcome.violation.map { "\($0)" } ?? "")")
    }

    @Test func `a cancelled run ends`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try FleetSimulation.run(FleetPlan(seed: 1, length: .seconds(600)))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Two processes are compared, since the order of hashed collections may differ only between processes.
    @Test func `the same seed gives the same run in every process`() throws {
        let digests = try (0..<2).map { _ in
            let ended = try PipedProgram.run(
                [BuiltProgram.path("simulate-fleet"), "--seeds", "2", "--hours", "0.2", "--digest"])
            #expect(ended.status == 0, "\(ended)")
            return ended.output.split(separator: "\n").prefix(2).map(String.init)
        }
        #expect(digests[0].count == 2)
        #expect(digests[0] == digests[1])
    }

    @Test(arguments: [
        ["--seeds", "0"], ["--hours", "inf"], ["--hours", "1e15"], ["--hours", "0"], ["--jobs", "0"],
        ["--seeds", "2", "--from", "18446744073709551615"],
    ])
    func `options that make no sense are refused`(options: [String]) throws {
        let ended = try PipedProgram.run([BuiltProgram.path("simulate-fleet")] + options)
        #expect(ended.status == 64, "\(ended)")
        #expect(ended.errors.contains("expected"))
    }
}
