import RecordKeeping

extension FuzzTarget {
    /// Each address found is the address that its bytes are parsed as, between bytes that do not continue it. Finding
    /// depends only on the line.
    static func testFinder(_ input: [UInt8]) throws {
        let found = AddressFinder.addresses(in: input)
        var previousEnd = 0
        for one in found {
            let text = String(decoding: input[one.range], as: UTF8.self)
            try expect(try IPAddress(text) == one.address, "\"\(text)\" was found as \(one.address)")
            try expect(
                previousEnd <= one.extent.lowerBound && one.extent.lowerBound <= one.range.lowerBound
                    && one.range.upperBound <= one.extent.upperBound && one.extent.upperBound <= input.count,
                "\(one) after \(previousEnd)")
            previousEnd = one.extent.upperBound
            let before = input[..<one.range.lowerBound]
            // A sequence that sets a terminal's colours ends with a letter.
            let isAfterEscape = before.suffix(20).contains(0x1B) && [0x6D, 0x4B].contains(before.last)
            try expect(
                (isAfterEscape || !isDigitOrLetter(before.last))
                    && !isDigitOrLetter(input[one.range.upperBound...].first),
                "\"\(text)\" is a part of a word")
        }
        let offset = input.count + 1
        let shifted = found.map { one in
            func shift(_ range: Range<Int>) -> Range<Int> { range.lowerBound + offset..<range.upperBound + offset }
            return FoundAddress(address: one.address, range: shift(one.range), extent: shift(one.extent))
        }
        let twice = AddressFinder.addresses(in: input + [UInt8(ascii: "\n")] + input)
        try expect(twice == found + shifted, "\(found) in a line, \(twice) in two equal lines")
    }

    private static func isDigitOrLetter(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
    }
}
