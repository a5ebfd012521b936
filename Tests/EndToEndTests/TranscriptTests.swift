import Foundation
import Testing

/// Runs the commands in README.md and docs/transcript.md again, and compares their output.
@Suite(.serialized) struct TranscriptTests {
    @Test func `the commands print what the documents show`() throws {
        let bin = URL(fileURLWithPath: Rig.program("ipctl")).deletingLastPathComponent().path
        let script = FileManager.default.currentDirectoryPath + "/scripts/transcript"
        let ended = try Program.run([script, "--check"], environment: ["IPRECORD_BIN": bin])
        #expect(ended.status == 0, "\(ended.errors)")
    }
}
