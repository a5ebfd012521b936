import Testing

@testable import RecordKeeping

/// The characters that are replaced in untrusted text.
@Suite struct UntrustedTextTests {
    /// Whether a scalar is to be replaced, according to its properties in Unicode.
    ///
    /// The three marks only give the direction of one character, as in Arabic and Hebrew names. They reorder nothing
    /// else, so they stay.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: scalar.properties.isBidiControl && !["\u{061C}", "\u{200E}", "\u{200F}"].contains(scalar)
        default: false
        }
    }

    @Test func `of all scalars, exactly the controls, separators and bidirectional overrides are replaced`() {
        var wrong: [Unicode.Scalar] = []
        var replaced = 0
        // In blocks, of which most contain no harmful scalar.
        for start in stride(from: UInt32(0), through: 0x10_FFFF, by: 256) {
            let block = (start..<start + 256).compactMap { Unicode.Scalar($0) }
            let text = String(String.UnicodeScalarView(block))
            let clean = Array(UntrustedText(text).bounded(to: 4 * 256).unicodeScalars)
            let expected = block.map { Self.isHarmful($0) ? "\u{FFFD}" : $0 }
            replaced += zip(block, expected).count { $0 != $1 }
            guard clean != expected else { continue }
            wrong +=
                clean.count == block.count ? zip(block, zip(clean, expected)).filter { $1.0 != $1.1 }.map(\.0) : block
        }
        #expect(wrong.isEmpty, "\(wrong.map { String($0.value, radix: 16) })")
        // 65 controls, two separators, and nine embeddings, overrides and isolates with their ends.
        #expect(replaced == 65 + 2 + 9)
    }
}
