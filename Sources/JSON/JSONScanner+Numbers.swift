/// Numbers.
extension JSONScanner {
    /// Reads a number.
    package mutating func number() throws(JSONError) -> JSONNumber {
        _ = next()
        let start = position
        var number = JSONNumber()
        if isNext(UInt8(ascii: "-")) { number.isNegative = true }
        // No digit may follow a leading zero.
        let isZero = position < bytes.byteCount && self[position] == UInt8(ascii: "0")
        guard digits(max: isZero ? 1 : .max, { number.append($0, isFraction: false) }) else { throw numberError() }
        if isNext(UInt8(ascii: ".")) {
            guard digits({ number.append($0, isFraction: true) }) else { throw numberError() }
        }
        if isNext(UInt8(ascii: "e")) || isNext(UInt8(ascii: "E")) {
            let isSmall = isNext(UInt8(ascii: "-"))
            if !isSmall { _ = isNext(UInt8(ascii: "+")) }
            var exponent = 0
            guard digits({ exponent = min(exponent * 10 + Int($0), Self.maxExponent) }) else { throw numberError() }
            number.scale(by: isSmall ? -exponent : exponent)
        }
        number.range = start..<position
        isAfterValue = true
        return number
    }

    /// The value as the nearest double; nil if it is too large for one.
    package func double(of number: JSONNumber) -> Double? {
        if let exact = number.exactDouble { return exact }
        let digits = bytes.extracting(number.range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        return Double(digits).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Exponents beyond this one are equivalent, whatever the number of digits.
    private static let maxExponent = 1 << 40

    @inline(__always)
    private mutating func isNext(_ byte: UInt8) -> Bool {
        guard position < bytes.byteCount, self[position] == byte else { return false }
        position += 1
        return true
    }

    /// Reads digits; returns false if there are none.
    @inline(__always)
    private mutating func digits(max: Int = .max, _ append: (UInt8) -> Void) -> Bool {
        let start = position
        while position < bytes.byteCount, position - start < max {
            let digit = self[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            append(digit)
            position += 1
        }
        return position > start
    }

    private func numberError() -> JSONError {
        error(position < bytes.byteCount ? .invalidNumber : .unexpectedEnd, at: position)
    }
}
