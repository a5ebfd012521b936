import ArgumentParser
import Glibc
import Simulation

/// `simulate`: many runs, one after the other, or one again.
@main
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Run the daemon's core through simulated time, with everything going wrong.",
        discussion: """
            Each seed is one run. A promise that is broken is told with its seed, the smallest plan that still breaks it,
            and the command that runs it again.
            """)

    @Option(help: "How many seeds.") var seeds = 100
    @Option(help: "The first seed.") var from: UInt64 = 1
    @Option(help: "Hours of simulated time, for each seed.") var hours = 24.0
    @Flag(help: "Print what was done, as one number: the same on any machine.") var digest = false
    @Flag(help: "Print the last of what happened, also where nothing was broken.") var trace = false

    @Option(help: "How many runs may be made to find a smaller plan.") var shrink = 400

    func run() throws {
        var coverage = Coverage()
        let started = Self.seconds
        var simulated = 0.0
        for index in 0..<seeds {
            let seed = from + UInt64(index)
            let plan = Plan(seed: seed, length: .milliseconds(Int64(hours * 3_600_000)))
            let outcome = try Simulation.run(plan, isTraced: trace)
            coverage.merge(outcome.coverage)
            simulated += Double(outcome.simulated.components.seconds)
            if digest { print(seed, String(outcome.digest, radix: 16)) }
            if trace { outcome.trace.forEach { print($0) } }
            if let violation = outcome.violation {
                try tell(violation, plan)
                throw ExitCode.failure
            }
            progress(index + 1, simulated)
        }
        let real = Self.seconds - started
        print("\n\(seeds) seeds, \(Int(simulated / 3_600)) hours in \(Int(real)) s: ", terminator: "")
        print("\(Int(simulated / max(real, 0.001))) times as fast as time, every promise kept")
        try tell(coverage)
    }

    private func progress(_ done: Int, _ simulated: Double) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        let width = 40
        let filled = done * width / seeds
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let line = Array("\r\(bar) \(done) of \(seeds) seeds, \(Int(simulated / 3_600)) h".utf8)
        // Where a progress bar cannot be written, nobody sees it.
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// A violation, made as small as it gets.
    private func tell(_ violation: Violation, _ plan: Plan) throws {
        print("\nBROKEN, seed \(plan.seed): \(violation)\n")
        var shrinking = Shrinking(plan, violation: violation, runs: shrink)
        let smallest = try shrinking.shrink()
        print("The same is broken by \(shrinking.plan.acts.count) of its \(plan.acts.count) acts:")
        for (at, act) in shrinking.plan.acts { print("  \(at)  \(act)") }
        print("\nThe last of that run:")
        smallest.trace.suffix(40).forEach { print("  \($0)") }
        if let violation = smallest.violation { print("  \(violation)") }
        print("\nAgain: swift run simulate --seeds 1 --from \(plan.seed) --hours \(hours)")
    }

    /// What happened how often; what never happened has proved nothing, and is a failure of the simulator.
    private func tell(_ coverage: Coverage) throws {
        for (name, count) in coverage.counts.sorted(by: { $0.key < $1.key }) {
            print("  \(name)\(String(repeating: " ", count: max(1, 40 - name.count)))\(count)")
        }
    }

    private static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
