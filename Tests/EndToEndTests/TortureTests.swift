import Foundation
import Testing

/// Some rounds of `make torture`: killed under load, with all that was acknowledged there afterwards.
@Suite(.serialized) struct TortureTests {
    private static func torture(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
        let programs = Rig.programs
        return try Program.run(
            [Service.top + "Tests/Support/torture", "--programs", programs, "--folder", NSTemporaryDirectory()]
                + arguments)
    }

    @Test(arguments: [1, 2]) func `killed at any moment, it keeps what it acknowledged`(seed: Int) throws {
        let result = try Self.torture("--rounds", "15", "--seed", "\(seed)")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("15 times killed"))
    }

    @Test(arguments: [1, 2]) func `when the power is lost, what was acknowledged had been synced`(seed: Int) throws {
        let result = try Self.torture("--rounds", "15", "--seed", "\(seed)", "--power-loss")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("lost with the power"))
    }

    @Test func `what is lost is found`() throws {
        let result = try Self.torture("--rounds", "20", "--seed", "1", "--sabotage")
        #expect(result.status == 1)
        #expect(result.errors.contains("LOST: not as acknowledged"), "\(result)")
        let folder = result.errors.split(separator: "\n").last?.prefix { $0 != " " } ?? ""
        try FileManager.default.removeItem(atPath: String(folder))
    }
}
