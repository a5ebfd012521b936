import Foundation
import JSON
import Testing

/// Checks that `JSONWriter` and the encoder write the same bytes.
@Suite struct JSONWriterTests {
    private struct Sample: Encodable {
        var flag: Bool?
        var number: Int64?
        var share: Double?
        var text: String?
        var texts: [String] = []
    }

    private static func written(_ sample: Sample) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let flag = sample.flag { writer.member("flag", flag) }
            writer.member("number", sample.number)
            if let share = sample.share {
                writer.name("share")
                writer.rawValue { $0.rawNumber(share) }
            }
            writer.member("text", sample.text)
            writer.name("texts")
            writer.array { writer in
                for text in sample.texts { writer.value(text) }
            }
        }
        return writer.bytes
    }

    private static func encoded(_ sample: Sample) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(sample))
    }

    @Test func `strings are escaped as by the encoder`() throws {
        let codes = (0...0x2FF).compactMap { Unicode.Scalar($0) } + ["\u{2028}", "\u{FFFD}", "\u{10FFFF}", "\u{1F600}"]
        for code in codes {
            let sample = Sample(text: "a\(Character(code))b", texts: [String(Character(code)), ""])
            #expect(try Self.written(sample) == Self.encoded(sample), "\(code.value)")
        }
    }

    @Test(arguments: [
        0, 1, -1, 13, 52.5, -122.0843, 0.1, 1e-7, 123_456_789.125, 1e15, 1e16, 1e21, .leastNonzeroMagnitude, -0.0,
    ])
    func `numbers are written as by the encoder`(number: Double) throws {
        let sample = Sample(number: Int64(number.rounded(.towardZero).magnitude < 1e18 ? number : 0), share: number)
        #expect(try Self.written(sample) == Self.encoded(sample))
    }

    @Test func `nil members are omitted, and other members are separated by commas`() throws {
        for flag in [nil, true, false] {
            for number in [nil, Int64.min, Int64.max] {
                for text in [nil, "", "text"] {
                    let sample = Sample(flag: flag, number: number, text: text, texts: text.map { [$0, $0] } ?? [])
                    #expect(try Self.written(sample) == Self.encoded(sample))
                }
            }
        }
    }
}
