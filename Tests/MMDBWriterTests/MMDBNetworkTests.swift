import Testing

@testable import MMDBWriter

@Suite struct MMDBNetworkTests {
    @Test func `bits after the prefix are ignored`() throws {
        let network = try MMDBNetwork(address: .max, prefixLength: 20)
        #expect(network.address == UInt128(0xFFFFF) << 108)
        #expect(try MMDBNetwork(address: .max, prefixLength: 0).address == 0)
        #expect(try MMDBNetwork(address: .max, prefixLength: 128).address == .max)
    }

    @Test(arguments: [-1, 129, .max]) func `a prefix length outside of 0 to 128 is refused`(length: Int) {
        #expect(throws: MMDBError.invalidPrefixLength(length)) { try MMDBNetwork(address: 0, prefixLength: length) }
    }

    @Test func `a network is made from 16 bytes in network order`() throws {
        let bytes: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
        #expect(try MMDBNetwork(networkOrder: bytes, prefixLength: 128).address == 0x2001_0DB8 << 96 | 1)
        #expect(throws: MMDBError.invalidAddressLength(4)) {
            try MMDBNetwork(networkOrder: [1, 1, 1, 1], prefixLength: 32)
        }
    }

    @Test(arguments: [
        (MMDBError.tooDeep, "more than 128 nested maps and arrays"),
        (.tooManyValues, "more than 65536 values for one network"),
        (.tooMuchText, "more than 2097152 bytes of text for one network"),
        (.invalidPrefixLength(129), "invalid prefix length 129: expected 0 to 128"),
        (.invalidAddressLength(4), "invalid address of 4 bytes: expected 16"),
        (.metadataTooLarge(bytes: 131_073), "metadata of 131073 bytes; the limit is 131072"),
        (.databaseTooLarge, "too many networks or values: the format addresses at most 4 GiB"),
    ])
    func `an error explains what is wrong`(error: MMDBError, text: String) {
        #expect(error.description == text)
    }
}
