import Testing

@testable import Systemd

/// The characters that are escaped in messages.
@Suite struct ControlCharacterTests {
    @Test func `of all scalars, exactly those of the general category Cc are control characters`() {
        let scalars = (UInt32(0)...0x10_FFFF).lazy.compactMap { Unicode.Scalar($0) }
        var (count, wrong) = (0, [Unicode.Scalar]())
        for scalar in scalars {
            count += 1
            if scalar.isControl != (scalar.properties.generalCategory == .control) { wrong.append(scalar) }
        }
        #expect(wrong.isEmpty, "\(wrong.map { String($0.value, radix: 16) })")
        // All code points except the surrogates.
        #expect(count == 0x11_0000 - 0x800)
    }
}
