import ArgumentParser
import Foundation
import Simulation
import SimulationCommands
import Synchronization
import Testing

/// The runs of consecutive seeds, and what is printed about them.
struct SeedRunnerTests {
    /// A plan without acts, whose run is a function.
    private struct FunctionPlan: SimulatedPlan {
        let seed: UInt64
        var acts: [(at: Duration, act: Int)] = []
        /// Runs the plan of a seed. Returns the promise that it breaks, if any.
        let function: @Sendable (UInt64) throws -> String?

        func run(isTraced: Bool, until end: Duration?) throws -> Outcome {
            let violation = try function(seed).map { Violation(promise: $0, details: "details", moment: .start) }
            var coverage = Coverage()
            coverage.count("run")
            if seed % 2 == 0 { coverage.count("even seed") }
            return Outcome(
                violation: violation, coverage: coverage, simulated: .seconds(7_200), digest: 0xA0 + seed,
                trace: isTraced ? ["trace of \(seed)"] : [])
        }
    }

    /// Runs a command with options. Returns the printed lines, and whether the command fails.
    private static func run(
        _ options: [String], expected: [String] = [], in sufficientTime: Duration = .zero,
        _ function: @escaping @Sendable (UInt64) throws -> String? = { _ in nil }
    ) async throws -> (lines: [String], hasFailed: Bool) {
        let lines = Mutex<[String]>([])
        let runner = SeedRunner(
            "simulate-something", try SeedOptions.parse(options), seeds: 4, hours: 2, maxShrinkingRuns: 3,
            margin: .seconds(1), expected: expected, in: sufficientTime,
            print: { text in lines.withLock { $0 += text.split(separator: "\n").map(String.init) } },
            plan: { seed, _ in FunctionPlan(seed: seed, function: function) })
        var hasFailed = false
        do {
            try await withTaskExecutorPreference(ThreadExecutor()) { try await runner.run() }
        } catch let status as ExitCode { hasFailed = status == .failure }
        return (lines.withLock { $0 }, hasFailed)
    }

    @Test func `results are printed in the order of the seeds`() async throws {
        let (lines, hasFailed) = try await Self.run(["--digest", "--jobs", "3", "--from", "9"])
        #expect(!hasFailed)
        #expect(Array(lines.prefix(4)) == ["9 a9", "10 aa", "11 ab", "12 ac"])
        #expect(lines[4].hasPrefix("4 seeds, 8 hours in "))
        #expect(lines[4].hasSuffix(" times real time, every promise kept"))
        let table = [("even seed", 2), ("run", 4)]
        #expect(Array(lines[5...]) == table.map { "  \($0)\(String(repeating: " ", count: 40 - $0.count))\($1)" })
    }

    @Test func `a range of seeds of any length can begin anywhere`() async throws {
        let seed = UInt64(Int.max)
        let (lines, _) = try await Self.run(["--digest", "--seeds", "1", "--from", "\(seed)"])
        #expect(lines[0] == "\(seed) \(String(0xA0 + seed, radix: 16))")
    }

    @Test func `the trace of each run is printed on request`() async throws {
        let (lines, _) = try await Self.run(["--trace", "--jobs", "1"])
        #expect(Array(lines.prefix(4)) == (1...4).map { "trace of \($0)" })
    }

    @Test(arguments: [(7_200 * 4, true), (7_200 * 4 + 1, false)])
    func `an expected event has to occur in sufficient time`(seconds: Int, isSufficient: Bool) async throws {
        let expected = ["run", "odd event", "other event"]
        let (lines, hasFailed) = try await Self.run([], expected: expected, in: .seconds(seconds))
        #expect(hasFailed == isSufficient)
        let message = "These events never occurred, and are therefore untested: odd event, other event"
        #expect(lines.contains(message) == isSufficient)
    }

    @Test func `a broken promise is printed with the smallest plan and the command that repeats the run`() async throws
    {
        let (lines, hasFailed) = try await Self.run([]) { $0 == 3 ? "promise" : nil }
        #expect(hasFailed)
        let violation = "0 00:00:00.000  promise: details"
        #expect(
            lines == [
                "BROKEN, seed 3: \(violation)", "0 of the 0 acts reproduce the violation:", "Last events of that run:",
                "  trace of 3", "  \(violation)",
                "To repeat the run: swift run simulate-something --seeds 1 --from 3 --hours 2.0",
            ])
    }

    @Test func `no smaller plan is searched for if no runs are allowed`() async throws {
        let (lines, hasFailed) = try await Self.run(["--shrink", "0", "--hours", "0.5"]) { $0 == 3 ? "promise" : nil }
        #expect(hasFailed)
        #expect(
            lines == [
                "BROKEN, seed 3: 0 00:00:00.000  promise: details",
                "To repeat the run: swift run simulate-something --seeds 1 --from 3 --hours 0.5",
            ])
    }

    @Test func `the lowest seed is reported, even if the run of a higher one ends first`() async throws {
        let hasEnded = DispatchSemaphore(value: 0)
        let (lines, hasFailed) = try await Self.run(["--shrink", "0", "--jobs", "2"]) { seed in
            switch seed {
            case 1: _ = hasEnded.wait(timeout: .now() + 60)
            case 2: hasEnded.signal()
            default: return nil
            }
            return "promise of \(seed)"
        }
        #expect(hasFailed)
        #expect(lines.first == "BROKEN, seed 1: 0 00:00:00.000  promise of 1: details")
    }

    @Test func `after a violation, runs with higher seeds are cancelled, and no run begins`() async throws {
        let seeds = Mutex<(begun: Set<UInt64>, cancelled: Set<UInt64>)>(([], []))
        let (lines, _) = try await Self.run(["--shrink", "0", "--jobs", "2"]) { seed in
            seeds.withLock { _ = $0.begun.insert(seed) }
            guard seed == 2 else { return "promise" }
            let deadline = ContinuousClock.now + .seconds(60)
            while !Task.isCancelled, ContinuousClock.now < deadline {}
            if Task.isCancelled { seeds.withLock { _ = $0.cancelled.insert(seed) } }
            return nil
        }
        #expect(lines.first?.hasPrefix("BROKEN, seed 1: ") == true)
        #expect(seeds.withLock { $0.begun } == [1, 2])
        #expect(seeds.withLock { $0.cancelled } == [2])
    }

    @Test func `an error of a run is thrown`() async throws {
        struct Problem: Error {}
        await #expect(throws: Problem.self) { try await Self.run([]) { _ in throw Problem() } }
    }
}
