/// A number in a JSON text: `significand` × 10^`exponent`, with a sign.
package struct JSONNumber: Hashable, Sendable {
    var isNegative = false
    /// The first 19 significant digits, which always fit into 64 bits.
    private var significand: UInt64 = 0
    private var digits = 0
    private var exponent = 0
    /// Whether all further digits are zeros.
    private var isExact = true
    /// The place of the number in the text.
    package internal(set) var range = 0..<0

    private static let maxDigits = 19

    /// Appends a digit of the integer part or of the fraction.
    @inline(__always)
    mutating func append(_ digit: UInt8, isFraction: Bool) {
        guard digits < Self.maxDigits else {
            if digit != 0 { isExact = false }
            if !isFraction { exponent += 1 }
            return
        }
        significand = significand * 10 + UInt64(digit)
        // Leading zeros are not significant.
        if significand > 0 { digits += 1 }
        if isFraction { exponent -= 1 }
    }

    mutating func scale(by exponent: Int) { self.exponent += exponent }

    /// The number, if it is an integer that fits, in any notation: 1000, 1000.0 and 1e3 are the same number.
    package var int64: Int64? {
        guard isExact else { return nil }
        guard significand > 0 else { return 0 }
        var (magnitude, exponent) = (significand, exponent)
        while exponent < 0 {
            guard magnitude % 10 == 0 else { return nil }
            (magnitude, exponent) = (magnitude / 10, exponent + 1)
        }
        while exponent > 0 {
            let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
            guard !overflows else { return nil }
            (magnitude, exponent) = (product, exponent - 1)
        }
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude == Int64.min.magnitude ? .min : Int64(exactly: magnitude).map { -$0 }
    }

    /// The number if its significand and the power of ten are exact as doubles, so that only one operation rounds
    /// (Clinger, "How to Read Floating Point Numbers Accurately", 1990); nil for other numbers.
    var exactDouble: Double? {
        guard isExact, significand <= 1 << 53, exponent.magnitude < Self.powersOfTen.count else { return nil }
        let power = Self.powersOfTen[Int(exponent.magnitude)]
        let number = exponent < 0 ? Double(significand) / power : Double(significand) * power
        return isNegative ? -number : number
    }

    /// The powers of ten that are exact as doubles.
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
