import Foundation
import Testing

/// What README.md shows of `ipctl` is what it does.
@Suite(.serialized) struct TranscriptTests {
    @Test func `the commands print what the README shows`() throws {
        let bin = URL(fileURLWithPath: Rig.program("ipctl")).deletingLastPathComponent().path
        let script = FileManager.default.currentDirectoryPath + "/Tests/Support/transcript"
        let ended = try Program.run([script, "--check"], environment: ["IPRECORD_BIN": bin])
        #expect(ended.status == 0, "\(ended.errors)")
    }
}
