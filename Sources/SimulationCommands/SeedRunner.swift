import ArgumentParser
import Glibc
package import Simulation

/// Runs the plans of consecutive seeds, several at a time, and prints the results.
///
///     let runner = SeedRunner(
///         "simulate", options, seeds: 100, hours: 24, maxShrinkingRuns: 400, margin: .seconds(3_600),
///         expected: Coverage.expected, in: .seconds(100 * 86_400)
///     ) { Plan(seed: $0, length: $1) }
///     try await runner.run()
///
/// Each run is a function of its seed. If several runs break a promise, the one with the lowest seed is reported, so
/// the result depends neither on the number of parallel runs nor on their speed.
package struct SeedRunner<Plan: SimulatedPlan>: Sendable {
    /// The command that repeats a run, without the options that choose the run.
    let command: String
    /// The seeds, in the order in which their runs begin.
    package let seeds: Range<UInt64>
    let hours: Double
    /// The maximum number of runs to find a smaller plan; 0 to search for none.
    let maxShrinkingRuns: Int
    /// The simulated time after a violation at which the runs of smaller plans stop.
    let margin: Duration
    /// The events that must occur in `sufficientTime`, the simulated time of all runs together.
    let expected: [String]
    let sufficientTime: Duration
    let hasDigests: Bool
    let isTraced: Bool
    let jobs: Int
    /// Returns the plan of a seed, for a run of a given length.
    let plan: @Sendable (UInt64, Duration) -> Plan
    /// Prints a line.
    let print: @Sendable (String) -> Void

    /// - Parameters:
    ///   - command: the command that repeats a run, without the options that choose the run.
    ///   - options: the options, whose missing values `seeds`, `hours` and `maxShrinkingRuns` replace.
    ///   - margin: the simulated time after a violation at which the runs of smaller plans stop.
    ///   - expected: the events that must occur in `sufficientTime`, the simulated time of all runs together.
    ///   - plan: returns the plan of a seed, for a run of a given length.
    package init(
        _ command: String, _ options: SeedOptions, seeds: Int, hours: Double, maxShrinkingRuns: Int, margin: Duration,
        expected: [String], in sufficientTime: Duration,
        print: @escaping @Sendable (String) -> Void = { Swift.print($0) },
        plan: @escaping @Sendable (UInt64, Duration) -> Plan
    ) {
        self.command = command
        self.seeds = options.from..<options.from + UInt64(options.seeds ?? seeds)
        self.hours = options.hours ?? hours
        self.maxShrinkingRuns = options.shrink ?? maxShrinkingRuns
        (self.margin, self.expected, self.sufficientTime) = (margin, expected, sufficientTime)
        (hasDigests, isTraced) = (options.digest, options.trace)
        jobs = min(self.seeds.count, options.jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        (self.print, self.plan) = (print, plan)
    }

    /// The simulated time of each run.
    package var length: Duration { .milliseconds(Int64(hours * 3_600_000)) }

    /// Runs the plans of all seeds, unless one breaks a promise.
    ///
    /// - Throws: `ExitCode.failure` if a promise was broken, or if an expected event never occurred.
    package func run() async throws {
        var summary = SeedSummary(seeds: seeds.count)
        if let (plan, violation) = try await firstViolation(&summary) {
            try report(violation, of: plan)
            throw ExitCode.failure
        }
        try report(summary)
    }

    /// Returns the plan with the lowest seed that breaks a promise, with the violation, or nil if every promise is
    /// kept. After a violation, no run begins, runs with lower seeds are awaited, and the others are cancelled.
    private func firstViolation(_ summary: inout SeedSummary) async throws -> (Plan, Violation)? {
        try await withThrowingTaskGroup(of: (Plan, Outcome).self) { group in
            var waiting = seeds.makeIterator()
            var running: Set<UInt64> = []
            var first: (plan: Plan, violation: Violation)?
            func begin() {
                guard let seed = waiting.next() else { return }
                running.insert(seed)
                let plan = plan(seed, length)
                group.addTask { [isTraced] in (plan, try plan.run(isTraced: isTraced, until: nil)) }
            }
            for _ in 0..<jobs { begin() }
            while let (plan, outcome) = try await group.next() {
                running.remove(plan.seed)
                if isTraced { outcome.trace.forEach(print) }
                if let violation = outcome.violation, first.map({ plan.seed < $0.plan.seed }) ?? true {
                    first = (plan, violation)
                }
                if let first {
                    guard running.contains(where: { $0 < first.plan.seed }) else { break }
                } else {
                    begin()
                    summary.add(outcome, of: plan.seed)
                    summary.showProgress()
                }
            }
            group.cancelAll()
            return first
        }
    }
}
