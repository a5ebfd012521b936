// Builds without tests, such as release builds, do not find the module Testing.
#if canImport(Testing)
    package import Testing

    /// Runs all tests of a suite with one server.
    package struct ServerTrait: SuiteTrait, TestScoping {
        @TaskLocal package static var server: TemporaryPostgreSQL?

        package func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            let server = try TemporaryPostgreSQL()
            try await Self.$server.withValue(server) { try await function() }
            server.stop()
        }
    }

    extension Trait where Self == ServerTrait {
        package static var server: Self { Self() }
    }
#endif
