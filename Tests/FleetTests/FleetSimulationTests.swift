import FleetSimulation
import Testing

/// The fleet protocol in simulated time. `make simulate-fleet` runs more and longer simulations.
struct FleetSimulationTests {
    @Test(arguments: 1...UInt64(12)) func `every promise is kept`(seed: UInt64) {
        let outcome = FleetSimulation.run(FleetPlan(seed: seed, length: .seconds(600)))
        #expect(outcome.violation == nil, "seed \(seed): \(outcome.violation.map { "\($0)" } ?? "")")
    }

    @Test func `the same seed gives the same run`() {
        let digests = (0..<2).map { _ in
            FleetSimulation.run(FleetPlan(seed: 7, length: .seconds(600))).digest
        }
        #expect(digests[0] == digests[1])
    }
}
