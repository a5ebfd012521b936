import Fleet
import PostgreSQLTestSupport
import Testing

@testable import FleetSimulation

/// The simulation of the fleet is valid only if its database answers as PostgreSQL does.
@Suite(.server, .timeLimit(.minutes(5)))
struct SimulatedDatabaseTests {
    private static let seeds: ClosedRange<UInt64> = 1...8
    private static let queriesPerSeed = 250

    @Test func `the simulated database answers as a real one`() async throws {
        var failures: Set<FleetFailure> = []
        var answers: Set<FleetReply> = []
        for seed in Self.seeds {
            var drawing = QueryDrawing(seed: seed)
            var databases = try await PairedDatabases()
            for number in 1...Self.queriesPerSeed {
                if let timeline = drawing.nextTimeline() { try await databases.moveRow(toTimeline: timeline) }
                let query = drawing.next(databases.simulated.state, on: databases.simulated.server)
                let (simulated, real) = try await databases.perform(query)
                try #require(simulated == real, "query \(number) with seed \(seed): \(query)")
                try await Self.compareContents(&databases, "after query \(number) with seed \(seed): \(query)")
                switch real {
                case .failure(.outcomesKnown): failures.insert(.outcomesKnown([]))
                case .failure(let failure): failures.insert(failure)
                case .success(let reply): answers.insert(reply)
                }
            }
        }
        let reached: Set<FleetFailure> = [
            .leaseLost, .otherServer, .numberTaken, .predecessorDiffers, .operationKnown, .outcomesKnown([]),
        ]
        #expect(failures == reached)
        let answered: Set<FleetReply> = [
            .changed(true), .changed(false), .resolved(isCommitted: true), .resolved(isCommitted: false), .done,
            .withdrawn([]), .swept(0), .node(nil),
        ]
        #expect(answers.isSuperset(of: answered))
    }

    @Test func `the simulated database answers as a real one while a commit is open`() async throws {
        var count = 0
        for seed in Self.seeds {
            // A real withdrawal does not wait for a commit of other proposals, so it may have the number of the row of
            // that commit. Sweeps of outcomes would show the difference.
            var drawing = QueryDrawing(seed: seed, sweepsOutcomes: false)
            var databases = try await PairedDatabases()
            for number in 1...Self.queriesPerSeed {
                let place = "query \(number) with seed \(seed)"
                let query = drawing.next(databases.simulated.state, on: databases.simulated.server)
                guard case .append(let fence, let row) = query, databases.simulated.check(row, fence) == nil else {
                    let (simulated, real) = try await databases.perform(query)
                    try #require(simulated == real, "\(place): \(query)")
                    try await Self.compareContents(&databases, "after \(place): \(query)")
                    continue
                }
                count += 1
                let during = drawing.next(databases.simulated.state, on: databases.simulated.server)
                let (simulated, real) = try await databases.perform(during, duringAppendOf: row, behind: fence)
                if Self.isOfNumber(simulated), Self.isOfNumber(real) { continue }
                try #require(simulated == real, "\(place), while a row is appended: \(during)")
                try await Self.compareContents(&databases, "after \(place), while a row was appended: \(during)")
            }
        }
        #expect(count > 100)
    }

    /// Whether the number of a row is wrong. Which of these conditions fails depends on the moment of the check.
    private static func isOfNumber(_ result: Result<FleetReply, FleetFailure>) -> Bool {
        switch result {
        case .failure(.numberTaken), .failure(.predecessorDiffers), .failure(.operationKnown): true
        default: false
        }
    }

    /// Compares the whole journal, all proposals and the fleet's row.
    private static func compareContents(_ databases: inout PairedDatabases, _ place: String) async throws {
        let everything = FleetQuery.poll(after: .start, limit: 10_000, withProposals: true)
        let (simulated, real) = try await databases.perform(everything)
        try #require(simulated == real, "\(place)")
    }
}
