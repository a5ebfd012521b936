import Foundation
import TestSupport
import Testing

/// Generates the completions of the built programs once for all tests of a suite: this takes seconds of processor time.
struct GeneratedCompletions: SuiteTrait, TestScoping {
    /// The directory of the scripts; nil outside of such a suite.
    @TaskLocal static var folder: TemporaryFolder?

    private static let generator = #filePath.replacing(
        "Tests/IpctlTests/Support/GeneratedCompletions.swift", with: "completions/generate")

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        for program in ["ipctl", "iprecordd"] {
            let path = BuiltIpctl.programs + "/" + program
            let ended = try BuiltIpctl.run(
                command: [Self.generator, path, folder.path], environment: ["PATH": "/usr/bin:/bin"])
            try #require(ended.status == 0 && ended.errors == "", "\(ended)")
        }
        try await Self.$folder.withValue(folder, operation: function)
    }
}
