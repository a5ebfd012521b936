import Testing

/// Runs all tests of a suite with one server.
struct ServerTrait: SuiteTrait, TestScoping {
    @TaskLocal static var server: TemporaryPostgreSQL?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let server = try TemporaryPostgreSQL()
        try await Self.$server.withValue(server) { try await function() }
        server.stop()
    }
}

extension Trait where Self == ServerTrait {
    static var server: Self { Self() }
}
