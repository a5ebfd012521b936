import Foundation
import FuzzTargets
import Testing

/// The initial corpus of the fuzzer, and all inputs with which it has found a defect: `make fuzz`.
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    @Test(arguments: FuzzTarget.allCases) func `each input of the corpus causes no finding`(target: FuzzTarget) throws {
        let folder = Self.folder.appending(path: target.rawValue)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count > 2)
        for file in files {
            let input = Array(try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try target.test(input) }
            // Truncated at any position, and with any one byte changed.
            for end in stride(from: 0, to: min(input.count, 400), by: 1) { try target.test(Array(input[..<end])) }
            for place in stride(from: 0, to: input.count, by: max(1, input.count / 200)) {
                for value: UInt8 in [0, 0x22, 0x30, 0x7F, 0x80, 0xFF] {
                    var other = input
                    other[place] = value
                    try target.test(other)
                }
            }
        }
    }
}
