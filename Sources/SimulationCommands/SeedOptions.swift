package import ArgumentParser

/// The options that the simulation commands have in common. Each command has its own defaults for the optional ones.
package struct SeedOptions: ParsableArguments {
    @Option(help: "Number of seeds.") package var seeds: Int?
    @Option(help: "The first seed.") package var from: UInt64 = 1
    @Option(help: "Hours of simulated time per seed.") package var hours: Double?
    @Flag(help: "Print a digest of each run, which is the same on any machine.") package var digest = false
    @Flag(help: "Print the last events of each run, even if no promise is broken.") package var trace = false
    @Option(help: "Maximum number of runs to find a smaller plan; 0 to search for none.") package var shrink: Int?
    @Option(help: "Number of parallel runs (default: the number of processors).") package var jobs: Int?

    package init() {}

    /// The introduction to the help of both commands.
    package static let discussion = """
        Each seed is one run. A broken promise is reported with its seed, the smallest plan that still breaks it, and \
        the command that repeats the run.
        """

    package func validate() throws {
        guard seeds.map({ $0 >= 1 }) ?? true else { throw ValidationError("--seeds: expected at least 1") }
        // The sum of the first seed and the number of seeds then never overflows.
        guard from <= UInt64(Int.max) else { throw ValidationError("--from: expected at most \(Int.max)") }
        guard hours.map({ (0.01...10_000).contains($0) }) ?? true else {
            throw ValidationError("--hours: expected 0.01 to 10000")
        }
        guard shrink.map({ $0 >= 0 }) ?? true else { throw ValidationError("--shrink: expected at least 0") }
        guard jobs.map({ $0 >= 1 }) ?? true else { throw ValidationError("--jobs: expected at least 1") }
    }
}
