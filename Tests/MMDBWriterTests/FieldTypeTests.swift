import Testing

@testable import MMDBWriter

/// Fields of the data section, with the examples of the specification.
@Suite struct FieldTypeTests {
    static let controls: [(FieldType, Int, [UInt8])] = [
        (.string, 0, [0b0100_0000]),
        (.string, 2, [0b0100_0010]),
        (.string, 28, [0b0101_1100]),
        (.uint32, 1, [0b1100_0001]),
        (.uint64, 3, [0b0000_0011, 2]),
        (.string, 29, [0b0101_1101, 0]),
        (.string, 80, [0b0101_1101, 51]),
        (.string, 284, [0b0101_1101, 255]),
        (.string, 285, [0b0101_1110, 0, 0]),
        (.string, 13_392, [0b0101_1110, 51, 51]),
        (.string, 65_820, [0b0101_1110, 255, 255]),
        (.string, 65_821, [0b0101_1111, 0, 0, 0]),
        (.string, 3_421_264, [0b0101_1111, 51, 51, 51]),
        (.string, 16_843_036, [0b0101_1111, 255, 255, 255]),
        (.map, 3, [0b1110_0011]),
        (.array, 1, [0b0000_0001, 4]),
        // The size follows the extended type.
        (.array, 300, [0b0001_1110, 4, 0, 15]),
        (.boolean, 1, [0b0000_0001, 7]),
        (.double, 8, [0b0110_1000]),
    ]

    @Test(arguments: controls) func `a control byte has the type and the size`(
        type: FieldType, size: Int, expected: [UInt8]
    ) {
        var bytes: [UInt8] = []
        bytes.appendControl(type, size: size)
        #expect(bytes == expected)
    }

    static let integers: [(FieldType, UInt64, [UInt8])] = [
        (.uint16, 0, [0b1010_0000]),
        (.uint16, 1, [0b1010_0001, 1]),
        (.uint16, 255, [0b1010_0001, 255]),
        (.uint16, 256, [0b1010_0010, 1, 0]),
        (.uint16, 65_535, [0b1010_0010, 255, 255]),
        (.uint32, 65_536, [0b1100_0011, 1, 0, 0]),
        (.uint32, 4_294_967_295, [0b1100_0100, 255, 255, 255, 255]),
        (.uint64, 1 << 32, [0b0000_0101, 2, 1, 0, 0, 0, 0]),
        (.uint64, .max, [0b0000_1000, 2] + [UInt8](repeating: 255, count: 8)),
    ]

    @Test(arguments: integers) func `an integer has no leading zero bytes`(
        type: FieldType, number: UInt64, expected: [UInt8]
    ) {
        var bytes: [UInt8] = []
        bytes.appendInteger(type, number)
        #expect(bytes == expected)
    }

    static let pointers: [(UInt32, [UInt8])] = [
        (0, [0b0010_0000, 0]),
        (256, [0b0010_0001, 0]),
        (2_047, [0b0010_0111, 255]),
        (2_048, [0b0010_1000, 0, 0]),
        (2_048 + 65_536, [0b0010_1001, 0, 0]),
        (526_335, [0b0010_1111, 255, 255]),
        (526_336, [0b0011_0000, 0, 0, 0]),
        (526_336 + 16_777_216, [0b0011_0001, 0, 0, 0]),
        (134_744_063, [0b0011_0111, 255, 255, 255]),
        (134_744_064, [0b0011_1000, 8, 8, 8, 0]),
        (.max, [0b0011_1000, 255, 255, 255, 255]),
    ]

    @Test(arguments: pointers) func `a pointer has the shortest form`(offset: UInt32, expected: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.appendPointer(to: offset)
        #expect(bytes == expected)
    }
}
