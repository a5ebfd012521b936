import ArgumentParser
import FleetSimulation
import Simulation
import SimulationCommands

/// The program `simulate-fleet`, which simulates many seeds, or repeats the run of one seed.
@main
struct SimulateFleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate-fleet", abstract: "Run the fleet protocol in simulated time, with faults of all kinds.",
        discussion: SeedOptions.discussion
            + "\n\nThe default is --seeds 100 --hours 2 --shrink 200.")

    @OptionGroup var options: SeedOptions

    func run() async throws {
        let runner = SeedRunner(
            "simulate-fleet", options, seeds: 100, hours: 2, maxShrinkingRuns: 200, margin: .seconds(600),
            expected: Coverage.expectedOfFleet, in: .seconds(100 * 3_600)
        ) { FleetPlan(seed: $0, length: $1) }
        try await runner.run()
    }
}
