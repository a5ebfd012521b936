import ArgumentParser
import Simulation
import SimulationCommands

/// The program `simulate`, which simulates many seeds, or repeats the run of one seed.
@main
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Run the daemon's core in simulated time, with faults of all kinds.",
        discussion: SeedOptions.discussion
            + "\n\nThe default is --seeds 100 --hours 24 --shrink 400; with --large, --seeds 50 --hours 1 --shrink 400."
    )

    @OptionGroup var options: SeedOptions
    @Flag(help: "Simulate 100,000 addresses and hundreds of clients.") var large = false
    @Flag(help: "Check that broken promises are detected, in worlds in which each cannot be kept.") var sabotage = false

    func run() async throws {
        let runner = SeedRunner(
            large ? "simulate --large" : "simulate", options, seeds: large ? 50 : 100, hours: large ? 1 : 24,
            maxShrinkingRuns: 400, margin: .seconds(3_600), expected: Coverage.expected, in: .seconds(100 * 86_400)
        ) { [large] seed, length in large ? Plan(large: seed, length: length) : Plan(seed: seed, length: length) }
        if sabotage { try detect(in: runner.seeds, length: runner.length) } else { try await runner.run() }
    }

    /// Prints the first seed that detects each broken promise. Throws if one is not detected.
    private func detect(in seeds: Range<UInt64>, length: Duration) throws {
        var isMissed = false
        for sabotage in Sabotage.allCases {
            let seed = try sabotage.firstDetection(in: ClosedRange(seeds), length: length)
            print("\(sabotage): \"\(sabotage.promise)\"", seed.map { "detected by seed \($0)" } ?? "NOT DETECTED")
            isMissed = isMissed || seed == nil
        }
        guard !isMissed else { throw ExitCode.failure }
    }
}
