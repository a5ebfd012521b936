import ExtremeJSON
import JSON
import Testing

/// Numbers in every notation, at and beyond the limits of their types.
struct JSONNumberTests {
    private static func read(_ text: String) throws -> (int64: Int64?, double: Double?) {
        let bytes = Array(text.utf8)
        var scanner = JSONScanner(bytes.span.bytes)
        let number = try scanner.number()
        try scanner.end()
        #expect(String(decoding: bytes[number.range], as: UTF8.self) == text)
        return (number.int64, scanner.double(of: number))
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("0e5", 0), ("-0.0e-5", 0), ("7", 7), ("-7", -7), ("7.0", 7),
            ("1e3", 1_000),
            ("1E+3", 1_000), ("12.5e1", 125), ("1200e-2", 12), ("0.0001e4", 1), ("1.5", nil), ("1e-1", nil),
            ("12e-2", nil),
            ("9007199254740993", 9_007_199_254_740_993), ("9007199254740993.0", 9_007_199_254_740_993),
            ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min),
            ("-9223372036854775809", nil), ("9223372036854775807000e-3", .max), ("-9.223372036854775808e18", .min),
            ("9.223372036854775808e18", nil), ("18446744073709551616", nil), ("10000000000000000000", nil),
            ("1.00000000000000000000000000000", 1), ("1.00000000000000000000000000001", nil), ("1e400", nil),
            ("0e99999999999999999999", 0), ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil),
        ] as [(String, Int64?)])
    func `an integer that fits has the same value in any notation`(text: String, value: Int64?) throws {
        #expect(try Self.read(text).int64 == value)
    }

    @Test(
        arguments: ExtremeValues.numbers + [
            "52.5244", "-13.4105", "0.1", "1e22", "1e23", "4.35", "2e-7", "123456.789e3",
        ])
    func `a double is the nearest one, and nil if it is not finite`(text: String) throws {
        let nearest = try #require(Double(text))
        let read = try Self.read(text).double
        #expect(read == (nearest.isFinite ? nearest : nil))
        #expect(read?.sign ?? nearest.sign == nearest.sign)
    }

    @Test func `decimals of up to 17 digits are the nearest doubles`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let digits = Int64.random(in: 0..<100_000_000_000_000_000, using: &random)
            let text =
                "\(digits >> Int64.random(in: 0..<56, using: &random))e\(Int.random(in: -40...40, using: &random))"
            #expect(try Self.read(text).double == Double(text))
        }
    }
}
