/// Formatting of numbers and IPv4 addresses.
extension JSONWriter {
    /// Writes an IPv4 address in dotted form, such as "192.0.2.1".
    ///
    /// - Parameter bits: the address as a number; its most significant byte is written first.
    package mutating func raw(dotted bits: UInt32) {
        // The longest address is "255.255.255.255".
        reserve(15)
        append(part: UInt8(truncatingIfNeeded: bits >> 24))
        for shift: UInt32 in stride(from: 16, through: 0, by: -8) {
            memory[count] = UInt8(ascii: ".")
            count += 1
            append(part: UInt8(truncatingIfNeeded: bits >> shift))
        }
    }

    /// Writes a number without a comma before it.
    package mutating func rawNumber(_ number: Int64) {
        if number < 0 { put(UInt8(ascii: "-")) }
        append(number.magnitude)
    }

    /// Writes a number, two digits at a time, starting with the last digits.
    private mutating func append(_ number: UInt64) {
        // The largest number has twenty digits.
        reserve(20)
        let end = count + 20
        var (rest, start) = (number, end)
        while rest >= 100 {
            start -= 2
            put(pair: rest % 100, at: start)
            rest /= 100
        }
        if rest >= 10 {
            start -= 2
            put(pair: rest, at: start)
        } else {
            start -= 1
            memory[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
        }
        (memory + count).update(from: memory + start, count: end - start)
        count += end - start
    }

    /// Writes one number of a dotted address. The caller reserves the space.
    @inline(__always)
    private mutating func append(part: UInt8) {
        if part >= 100 {
            memory[count] = UInt8(ascii: "0") + part / 100
            put(pair: UInt64(part % 100), at: count + 1)
            count += 3
        } else if part >= 10 {
            put(pair: UInt64(part), at: count)
            count += 2
        } else {
            memory[count] = UInt8(ascii: "0") + part
            count += 1
        }
    }

    @inline(__always)
    private mutating func put(pair: UInt64, at place: Int) {
        memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair / 10)
        memory[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair % 10)
    }

    /// Writes the shortest decimal that reads back as the same number, without ".0" after an integer, and without a
    /// comma before it.
    ///
    /// - Parameter number: must be finite.
    package mutating func rawNumber(_ number: Double) {
        if appendFewDecimals(number) { return }
        var text = number.description
        text.withUTF8 { digits in
            let isWhole =
                digits.count > 2 && digits[digits.count - 2] == UInt8(ascii: ".") && digits.last == UInt8(ascii: "0")
            raw(UnsafeBufferPointer(rebasing: digits[..<(digits.count - (isWhole ? 2 : 0))]))
        }
    }

    /// Writes a number below one million with at most four decimals, which suffice for most coordinates.
    ///
    /// Two different decimals of at most 15 digits never round to the same double. So if such a decimal rounds to
    /// `number`, it is the shortest form.
    ///
    /// - Returns: whether `number` has this form and was written.
    private mutating func appendFewDecimals(_ number: Double) -> Bool {
        guard number.magnitude < 1e6 else { return false }
        let scaled = (number.magnitude * 10_000).rounded()
        guard scaled / 10_000 == number.magnitude, scaled > 0 else { return false }
        if number < 0 { put(UInt8(ascii: "-")) }
        let whole = UInt64(scaled)
        append(whole / 10_000)
        let rest = whole % 10_000
        guard rest > 0 else { return true }
        reserve(5)
        memory[count] = UInt8(ascii: ".")
        put(pair: rest / 100, at: count + 1)
        put(pair: rest % 100, at: count + 3)
        count += 5
        // Drop trailing zeros.
        while memory[count - 1] == UInt8(ascii: "0") { count -= 1 }
        return true
    }
}
