import RouteMonitor
import Testing

@Suite struct NetlinkMessageTests {
    @Test func `messages begin at multiples of four bytes`() throws {
        let first = Datagram.message(type: 24, flags: 2, sequence: 9, payload: [1, 2, 3, 4, 5])
        let second = Datagram.message(type: 25, payload: [])
        let messages = try NetlinkMessage.all(in: (first + [0, 0, 0] + second)[...])
        #expect(messages.map(\.type) == [24, 25])
        #expect(messages.map(\.flags) == [2, 0])
        #expect(messages.map(\.sequence) == [9, 7])
        #expect(messages.map { Array($0.payload) } == [[1, 2, 3, 4, 5], []])
    }

    @Test func `the last message needs no padding, and an empty datagram has no messages`() throws {
        #expect(try NetlinkMessage.all(in: []).isEmpty)
        #expect(try NetlinkMessage.all(in: Datagram.message(type: 1, payload: [9])[...]).count == 1)
    }

    @Test(
        arguments: [
            ([1], .shortHeader(at: 0)),
            (Array(Datagram.message(type: 1, payload: []).dropLast()), .shortHeader(at: 0)),
            (Datagram.message(type: 1, length: 0, payload: []), .badLength(0, at: 0)),
            (Datagram.message(type: 1, length: 15, payload: []), .badLength(15, at: 0)),
            (Datagram.message(type: 1, length: 17, payload: []), .badLength(17, at: 0)),
            (Datagram.message(type: 1, length: .max, payload: []), .badLength(4_294_967_295, at: 0)),
            (Datagram.message(type: 1, payload: [1, 2, 3, 4]) + [5, 5], .shortHeader(at: 20)),
        ] as [([UInt8], NetlinkMessage.Malformation)])
    func `a datagram with an invalid message is rejected`(bytes: [UInt8], why: NetlinkMessage.Malformation) {
        #expect(throws: why) { try NetlinkMessage.all(in: bytes[...]) }
    }

    @Test func `attributes are parsed without their flags`() throws {
        let bytes = Datagram.attribute(0x8009, [1, 2, 3, 4, 5]) + Datagram.attribute(0x4001, [])
        let attributes = try NetlinkAttribute.all(in: bytes[...])
        #expect(attributes.map(\.type) == [9, 1])
        #expect(attributes.map { Array($0.payload) } == [[1, 2, 3, 4, 5], []])
    }

    @Test(
        arguments: [
            ([0, 0, 1, 0], .badLength(0, at: 0)),
            ([3, 0, 1, 0], .badLength(3, at: 0)),
            ([9, 0, 1, 0, 1, 2, 3, 4], .badLength(9, at: 0)),
            ([4, 0, 1, 0, 5, 0], .shortHeader(at: 4)),
        ] as [([UInt8], NetlinkMessage.Malformation)])
    func `an invalid attribute is rejected`(bytes: [UInt8], why: NetlinkMessage.Malformation) {
        #expect(throws: why) { try NetlinkAttribute.all(in: bytes[...]) }
    }

    @Test func `zero bytes after the last attribute are padding`() throws {
        #expect(try NetlinkAttribute.all(in: [5, 0, 1, 0, 9, 0, 0, 0][...]).count == 1)
        #expect(try NetlinkAttribute.all(in: [4, 0, 1, 0, 0, 0][...]).count == 1)
    }

    @Test func `a slice is read from its start index`() throws {
        let datagram = [9, 9, 9] + Datagram.message(type: 24, payload: [1])
        #expect(try NetlinkMessage.all(in: datagram.dropFirst(3)).map(\.type) == [24])
    }
}
