import ArgumentParser
import FleetSimulation
import Glibc
import Simulation

/// The program `simulate-fleet`, which simulates many seeds, or repeats the run of one seed.
@main
struct SimulateFleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate-fleet", abstract: "Run the fleet protocol in simulated time, with faults of all kinds.",
        discussion: """
            Each seed is one run. A broken promise is reported with its seed, the smallest plan that still breaks it, \
            and the command that repeats the run.
            """)

    @Option(help: "Number of seeds.") var seeds = 100
    @Option(help: "The first seed.") var from: UInt64 = 1
    @Option(help: "Hours of simulated time per seed.") var hours = 2.0
    @Flag(help: "Print a digest of each run, which is the same on any machine.") var digest = false
    @Flag(help: "Print the last events of each run, even if no promise is broken.") var trace = false
    @Option(help: "Maximum number of runs to find a smaller plan.") var shrink = 200
    @Option(help: "Number of parallel runs (default: the number of processors).") var jobs: Int?

    func validate() throws {
        guard seeds >= 1 else { throw ValidationError("--seeds: expected at least 1") }
        guard (0.01...10_000).contains(hours) else { throw ValidationError("--hours: expected 0.01 to 10000") }
        guard !from.addingReportingOverflow(UInt64(seeds)).overflow else {
            throw ValidationError("--from: expected a seed that leaves room for \(seeds) seeds")
        }
        guard shrink >= 0 else { throw ValidationError("--shrink: expected at least 0") }
        guard jobs.map({ $0 >= 1 }) ?? true else { throw ValidationError("--jobs: expected at least 1") }
    }

    func run() async throws {
        let started = ContinuousClock.now
        let length = Duration.milliseconds(Int64(hours * 3_600_000))
        var coverage = Coverage()
        var simulated = 0.0
        var next = from
        var digests: [UInt64: UInt64] = [:]
        let end = from + UInt64(seeds)
        try await withThrowingTaskGroup(of: (FleetPlan, Outcome).self) { group in
            func begin() {
                guard next < end else { return }
                let plan = FleetPlan(seed: next, length: length)
                next += 1
                group.addTask { (plan, try FleetSimulation.run(plan, isTraced: trace)) }
            }
            for _ in 0..<(jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) { begin() }
            while let (plan, outcome) = try await group.next() {
                begin()
                coverage.merge(outcome.coverage)
                simulated += Double(outcome.simulated.components.seconds)
                if digest { digests[plan.seed] = outcome.digest }
                if trace { outcome.trace.forEach { print($0) } }
                if let violation = outcome.violation {
                    try report(violation, plan)
                    throw ExitCode.failure
                }
            }
        }
        for (seed, digest) in digests.sorted(by: { $0.key < $1.key }) { print(seed, String(digest, radix: 16)) }
        let real = max(0.001, started.duration(to: .now) / .seconds(1))
        print("\n\(seeds) seeds, \(Int(simulated / 3_600)) hours in \(Int(real)) s: every promise kept")
        for (name, count) in coverage.counts.sorted(by: { $0.key < $1.key }) {
            print("  \(name)\(String(repeating: " ", count: max(1, 40 - name.count)))\(count)")
        }
        let missing = coverage.missing(of: Coverage.expectedOfFleet)
        guard simulated >= 100 * 3_600, !missing.isEmpty else { return }
        print("\nThese events never occurred, and are therefore untested: \(missing.joined(separator: ", "))")
        throw ExitCode.failure
    }

    /// Prints a violation, and the smallest plan found that reproduces it.
    private func report(_ violation: Violation, _ plan: FleetPlan) throws {
        print("\nBROKEN, seed \(plan.seed): \(violation)\n")
        guard shrink > 0 else { return }
        var shrinking = Shrinking(plan, violation: violation, runs: shrink, margin: .seconds(600))
        let smallest = try shrinking.shrink()
        print("\(shrinking.plan.acts.count) of the \(plan.acts.count) acts reproduce the violation:")
        for (at, act) in shrinking.plan.acts { print("  \(at)  \(act)") }
        print("\nLast events of that run:")
        smallest.trace.suffix(60).forEach { print("  \($0)") }
        if let violation = smallest.violation { print("  \(violation)") }
        print("\nTo repeat the run: swift run simulate-fleet --seeds 1 --from \(plan.seed) --hours \(hours)")
    }
}
