import ArgumentParser
import Glibc
import Simulation

/// The program `simulate`, which simulates many seeds, or repeats the run of one seed.
@main
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Run the daemon's core in simulated time, with faults of all kinds.",
        discussion: """
            Each seed is one run. A broken promise is reported with its seed, the smallest plan that still breaks it, \
            and the command that repeats the run.
            """)

    @Option(help: "Number of seeds (default: 100, or 50 with --large).") var seeds: Int?
    @Option(help: "The first seed.") var from: UInt64 = 1
    @Option(help: "Hours of simulated time per seed (default: 24, or 1 with --large).") var hours: Double?
    @Flag(help: "Simulate 100,000 addresses and hundreds of clients.") var large = false
    @Flag(help: "Print a digest of each run, which is the same on any machine.") var digest = false
    @Flag(help: "Print the last events of each run, even if no promise is broken.") var trace = false

    @Flag(help: "Check that broken promises are detected, in worlds in which each cannot be kept.") var sabotage = false

    @Option(help: "Maximum number of runs to find a smaller plan.") var shrink = 400

    @Option(help: "Number of parallel runs (default: the number of processors).") var jobs: Int?

    func run() async throws {
        let started = ContinuousClock.now
        let (seeds, hours) = (seeds ?? (large ? 50 : 100), hours ?? (large ? 1 : 24))
        let length = Duration.milliseconds(Int64(hours * 3_600_000))
        guard !sabotage else { return try detect(seeds: seeds, length: length) }
        var coverage = Coverage()
        var simulated = 0.0
        var next = from
        var digests: [UInt64: UInt64] = [:]
        let end = from + UInt64(max(0, seeds))
        try await withThrowingTaskGroup(of: (Plan, Outcome).self) { group in
            func begin() {
                guard next < end else { return }
                let plan = large ? Plan(large: next, length: length) : Plan(seed: next, length: length)
                next += 1
                group.addTask { (plan, try Simulation.run(plan, isTraced: trace)) }
            }
            for _ in 0..<max(1, jobs ?? sysconf(Int32(_SC_NPROCESSORS_ONLN))) { begin() }
            var done = 0
            while let (plan, outcome) = try await group.next() {
                begin()
                done += 1
                coverage.merge(outcome.coverage)
                simulated += Double(outcome.simulated.components.seconds)
                if digest { digests[plan.seed] = outcome.digest }
                if trace { outcome.trace.forEach { print($0) } }
                if let violation = outcome.violation {
                    try report(violation, plan, hours: hours)
                    throw ExitCode.failure
                }
                progress(done, of: seeds, simulated, since: started)
            }
        }
        for (seed, digest) in digests.sorted(by: { $0.key < $1.key }) { print(seed, String(digest, radix: 16)) }
        let real = Self.seconds(since: started)
        print("\n\(seeds) seeds, \(Int(simulated / 3_600)) hours in \(Int(real)) s: ", terminator: "")
        print("\(Int(simulated / real)) times real time, every promise kept")
        try report(coverage, days: simulated / 86_400)
    }

    /// Prints the first seed that detects each broken promise. Throws if one is not detected.
    private func detect(seeds: Int, length: Duration) throws {
        var isMissed = false
        for sabotage in Sabotage.allCases {
            let seed = try sabotage.firstDetection(in: from...from + UInt64(max(1, seeds) - 1), length: length)
            print("\(sabotage): \"\(sabotage.promise)\"", seed.map { "detected by seed \($0)" } ?? "NOT DETECTED")
            isMissed = isMissed || seed == nil
        }
        guard !isMissed else { throw ExitCode.failure }
    }

    private func progress(_ done: Int, of seeds: Int, _ simulated: Double, since started: ContinuousClock.Instant) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        let width = 30
        let filled = done * width / seeds
        let real = Self.seconds(since: started)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let speed = "\(Self.tenths(Double(done) / real)) seeds/s, \(Self.tenths(simulated / 3_600 / real)) h/s"
        let line = Array("\r\(bar) \(done) of \(seeds) seeds, \(Int(simulated / 3_600)) h, \(speed) \u{1B}[K".utf8)
        // A failed write only loses the progress bar.
        _ = write(STDERR_FILENO, line, line.count)
    }

    private static func tenths(_ number: Double) -> Double { (number * 10).rounded(.down) / 10 }

    /// Prints a violation, and the smallest plan found that reproduces it.
    private func report(_ violation: Violation, _ plan: Plan, hours: Double) throws {
        print("\nBROKEN, seed \(plan.seed): \(violation)\n")
        var shrinking = Shrinking(plan, violation: violation, runs: shrink, margin: .seconds(3_600))
        let smallest = try shrinking.shrink()
        print("\(shrinking.plan.acts.count) of the \(plan.acts.count) acts reproduce the violation:")
        for (at, act) in shrinking.plan.acts { print("  \(at)  \(act)") }
        print("\nLast events of that run:")
        smallest.trace.suffix(40).forEach { print("  \($0)") }
        if let violation = smallest.violation { print("  \(violation)") }
        let size = large ? " --large" : ""
        print("\nTo repeat the run: swift run simulate\(size) --seeds 1 --from \(plan.seed) --hours \(hours)")
    }

    /// Prints the number of occurrences of each event. Throws if an expected event never occurred in at least 100
    /// simulated days.
    private func report(_ coverage: Coverage, days: Double) throws {
        for (name, count) in coverage.counts.sorted(by: { $0.key < $1.key }) {
            print("  \(name)\(String(repeating: " ", count: max(1, 40 - name.count)))\(count)")
        }
        let missing = coverage.missing(of: Coverage.expected)
        guard days >= 100, !missing.isEmpty else { return }
        print("\nThese events never occurred, and are therefore untested: \(missing.joined(separator: ", "))")
        throw ExitCode.failure
    }

    /// Returns the seconds since an instant, at least 0.001, so that rates are finite.
    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        max(0.001, start.duration(to: .now) / .seconds(1))
    }
}
