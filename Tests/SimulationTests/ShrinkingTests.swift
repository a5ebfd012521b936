import Simulation
import Synchronization
import Testing

/// The search for the smallest plan that breaks a promise. The acts of the plans are numbers.
struct ShrinkingTests {
    private struct Run: Equatable {
        let acts: [Int]
        let isTraced: Bool
        let end: Duration?
    }

    /// The runs of plans, in order.
    private final class Log: Sendable {
        private let mutex = Mutex<[Run]>([])

        var runs: [Run] { mutex.withLock { $0 } }

        func add(_ run: Run) {
            mutex.withLock { $0.append(run) }
        }
    }

    /// A plan that breaks a promise a minute after its start.
    private struct NumberPlan: SimulatedPlan {
        let seed: UInt64 = 1
        var acts: [(at: Duration, act: Int)]
        let log = Log()
        /// Returns the promise that a run with the given acts breaks, if any.
        let broken: @Sendable ([Int]) -> String?

        init(_ count: Int, broken: @escaping @Sendable ([Int]) -> String?) {
            acts = (0..<count).map { (.seconds($0), $0) }
            self.broken = broken
        }

        var numbers: [Int] { acts.map(\.act) }

        func run(isTraced: Bool, until end: Duration?) -> Outcome {
            log.add(Run(acts: numbers, isTraced: isTraced, end: end))
            let violation = broken(numbers).map {
                Violation(promise: $0, details: "", moment: .start + .seconds(60))
            }
            return Outcome(
                violation: violation, coverage: Coverage(), simulated: .seconds(60), digest: 0,
                trace: isTraced ? ["line"] : [])
        }
    }

    private static func shrink(_ plan: NumberPlan, runs: Int = 1_000) throws -> (plan: NumberPlan, outcome: Outcome) {
        let violation = try #require(plan.run(isTraced: false, until: nil).violation)
        var shrinking = Shrinking(plan, violation: violation, runs: runs, margin: .seconds(5))
        let outcome = try shrinking.shrink()
        return (shrinking.plan, outcome)
    }

    @Test(arguments: [[], [0], [15], [3, 11], [2, 3, 4], Array(0..<16)])
    func `only the acts that break the promise remain`(needed: [Int]) throws {
        let plan = NumberPlan(16) { Set(needed).isSubset(of: $0) ? "promise" : nil }
        let (smallest, outcome) = try Self.shrink(plan)
        #expect(smallest.numbers == needed)
        #expect(outcome.violation?.promise == "promise")
        #expect(outcome.trace == ["line"])
    }

    @Test func `a plan that breaks a different promise is not a smaller plan`() throws {
        let plan = NumberPlan(8) { $0.count == 8 ? "promise" : "other promise" }
        let (smallest, outcome) = try Self.shrink(plan)
        #expect(smallest.numbers == Array(0..<8))
        #expect(outcome.violation?.promise == "promise")
    }

    @Test(arguments: [0, 1, 5]) func `the number of runs is limited`(runs: Int) throws {
        let plan = NumberPlan(16) { $0.count == 16 ? "promise" : nil }
        _ = try Self.shrink(plan, runs: runs)
        // The first run finds the violation, and the last one is traced.
        #expect(plan.log.runs.count == 1 + runs + 1)
    }

    @Test func `each run ends soon after the violation, and only the last one is traced`() throws {
        let plan = NumberPlan(4) { $0.contains(2) ? "promise" : nil }
        _ = try Self.shrink(plan)
        let runs = plan.log.runs.dropFirst()
        #expect(runs.allSatisfy { $0.end == .seconds(65) })
        #expect(runs.filter(\.isTraced) == [Run(acts: [2], isTraced: true, end: .seconds(65))])
        #expect(runs.last?.isTraced == true)
    }
}
