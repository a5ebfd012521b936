import Foundation
import Testing

/// Regenerates parts of the documents, and compares them with the files.
@Suite(.serialized) struct TranscriptTests {
    @Test(arguments: ["transcript", "json-schema"])
    func `the documents show what the programs print`(script: String) throws {
        let bin = URL(fileURLWithPath: Rig.program("ipctl")).deletingLastPathComponent().path
        let path = FileManager.default.currentDirectoryPath + "/scripts/\(script)"
        let ended = try Program.run([path, "--check"], environment: ["IPRECORD_BIN": bin])
        #expect(ended.status == 0, "\(ended.errors)")
    }
}
