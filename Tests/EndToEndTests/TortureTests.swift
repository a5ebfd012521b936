import Foundation
import Testing

/// Some rounds of `make torture`: the daemon is killed under load, and all acknowledged changes survive.
@Suite(.serialized) struct TortureTests {
    private static func torture(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
        let programs = Rig.programs
        return try Program.run(
            [Service.top + "scripts/torture", "--programs", programs, "--directory", NSTemporaryDirectory()]
                + arguments)
    }

    @Test(arguments: [1, 2]) func `a daemon killed at any moment keeps all acknowledged changes`(seed: Int) throws {
        let result = try Self.torture("--rounds", "15", "--seed", "\(seed)")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("killed 15 times"))
    }

    @Test(arguments: [1, 2]) func `acknowledged changes are synced before a power failure`(seed: Int) throws {
        let result = try Self.torture("--rounds", "15", "--seed", "\(seed)", "--power-loss")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("unsynced sectors and writes lost"))
    }

    @Test func `the script detects a lost change`() throws {
        let result = try Self.torture("--rounds", "20", "--seed", "1", "--sabotage")
        #expect(result.status == 1)
        #expect(result.errors.contains("FAILED: entries differ from the acknowledged ones"), "\(result)")
        let folder = result.errors.split(separator: "\n").last?.prefix { $0 != " " } ?? ""
        try FileManager.default.removeItem(atPath: String(folder))
    }
}
