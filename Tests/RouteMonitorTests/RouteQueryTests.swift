import Glibc
import RecordKeeping
import RouteMonitor
import Testing

@Suite struct RouteQueryTests {
    @Test func `a query for an IPv4 address is RTM_GETROUTE for TCP and requests the table entry`() throws {
        let question = RouteQuery(address: try IPAddress("192.0.2.1"), sequence: 5)
        let body: [UInt8] = [2, 32, 0, 0, 0, 0, 0, 0] + Datagram.bytes(UInt32(0x2000))
        let attributes = Datagram.attribute(1, [192, 0, 2, 1]) + Datagram.attribute(27, [6])
        #expect(question.bytes == Datagram.message(type: 26, flags: 1, sequence: 5, payload: body + attributes))
    }

    @Test func `a query for an IPv6 address contains its sixteen bytes`() throws {
        let address = try IPAddress("2001:db8::1")
        let message = try #require(
            try NetlinkMessage.all(in: RouteQuery(address: address, sequence: 1).bytes[...]).first)
        #expect(message.payload.prefix(2) == [10, 128])
        let attributes = try NetlinkAttribute.all(in: message.payload.dropFirst(12))
        #expect(attributes.first.map { Array($0.payload) } == address.networkOrder)
    }

    private static func answer(_ datagram: [UInt8], from port: UInt32 = 0) throws -> RouteAnswer? {
        RouteQuery(address: try IPAddress("192.0.2.1"), sequence: 7).answer(in: datagram[...], from: port)
    }

    private static let interface3 = Datagram.attribute(4, [3, 0, 0, 0])

    @Test(
        arguments: [
            // RTN_UNICAST, RTN_LOCAL, RTN_BROADCAST, RTN_ANYCAST
            (Datagram.route(type: 1, attributes: [interface3]), .route),
            (Datagram.route(type: 2, attributes: [interface3]), .route),
            (Datagram.route(type: 2, flags: 0x11, attributes: [interface3]), .route),
            (Datagram.route(type: 3), .route),
            (Datagram.route(type: 4), .route),
            // RTN_BLACKHOLE, RTN_UNREACHABLE, RTN_PROHIBIT, RTN_THROW
            (Datagram.route(type: 6), .noRoute(.blackhole)),
            (Datagram.route(type: 7), .noRoute(.unreachable)),
            (Datagram.route(type: 8), .noRoute(.prohibited)),
            (Datagram.route(type: 9), .noRoute(.noRoute)),
            // RTNH_F_DEAD, RTNH_F_LINKDOWN, both; RTNH_F_ONLINK and RTM_F_CLONED are ignored
            (Datagram.route(type: 1, flags: 0x01, attributes: [interface3]), .noRoute(.linkDown(interface: 3))),
            (Datagram.route(type: 1, flags: 0x10, attributes: [interface3]), .noRoute(.noCarrier(interface: 3))),
            (Datagram.route(type: 1, flags: 0x11, attributes: [interface3]), .noRoute(.linkDown(interface: 3))),
            (Datagram.route(type: 1, flags: 0x204, attributes: [interface3]), .route),
            // Several next hops
            (Datagram.route(type: 1, attributes: [Datagram.multipath(flags: [0x10, 0])]), .route),
            (Datagram.route(type: 1, attributes: [Datagram.multipath(flags: [0x11, 0x10, 4])]), .route),
            (
                Datagram.route(type: 1, attributes: [Datagram.multipath(flags: [0x10, 0x11])]),
                .noRoute(.noCarrier(interface: 3))
            ),
        ] as [([UInt8], RouteAnswer)])
    func `a route is usable unless its type or links exclude it`(datagram: [UInt8], answer: RouteAnswer) throws {
        #expect(try Self.answer(datagram) == answer)
    }

    @Test(
        arguments: [
            (ENETUNREACH, .noRoute(.noRoute)),
            (EHOSTUNREACH, .noRoute(.unreachable)),
            (EACCES, .noRoute(.prohibited)),
            (EINVAL, .noRoute(.blackhole)),
            (EOPNOTSUPP, .noRoute(.familyMissing)),
            (EMSGSIZE, .route),
            (ENOMEM, .unusable("unexpected reply from the kernel to a route query: Cannot allocate memory")),
            (0, .unusable("unexpected reply from the kernel to a route query: Success")),
        ] as [(Int32, RouteAnswer)])
    func `an error code is interpreted as the type of a route or as unusable`(code: Int32, answer: RouteAnswer) throws {
        #expect(try Self.answer(Datagram.error(code)) == answer)
    }

    @Test func `EINVAL with an explanation is an invalid request, not a blackhole`() throws {
        let answer = try Self.answer(Datagram.error(EINVAL, words: "Invalid values in header"))
        #expect(answer == .unusable("the kernel rejected a route query: Invalid values in header"))
    }

    @Test func `an error with a copy of the whole request, as from old kernels, is parsed`() throws {
        let request = RouteQuery(address: try IPAddress("192.0.2.1"), sequence: 7).bytes
        let datagram = Datagram.message(type: 2, payload: Datagram.bytes(-ENETUNREACH) + request)
        #expect(try Self.answer(datagram) == .noRoute(.noRoute))
    }

    @Test func `replies from other senders than the kernel are ignored`() throws {
        #expect(try Self.answer(Datagram.route(type: 1), from: 4711) == nil)
    }

    @Test func `replies to other queries are ignored`() throws {
        #expect(try Self.answer(Datagram.route(type: 1, sequence: 6)) == nil)
        #expect(try Self.answer(Datagram.message(type: 3, payload: [])) == nil)
    }

    @Test(
        arguments: [
            Datagram.message(type: 24, payload: [2, 0, 0]),
            Datagram.message(type: 2, payload: [1]),
            Datagram.route(type: 1, attributes: [[3, 0, 4, 0]]),
            Datagram.route(type: 1, attributes: [Datagram.attribute(4, [1])]),
            Datagram.route(type: 1, attributes: [Datagram.attribute(9, [0, 0, 0, 0, 1, 0, 0, 0])]),
            Datagram.route(type: 1, attributes: [Datagram.attribute(9, [200, 0, 0, 0, 1, 0, 0, 0])]),
            Array(Datagram.route(type: 1).dropLast()),
            [1, 2, 3],
        ])
    func `a malformed reply is reported as such`(datagram: [UInt8]) throws {
        guard case .unusable(let text) = try Self.answer(datagram) else {
            Issue.record("\(datagram) is not reported as malformed")
            return
        }
        #expect(text.hasPrefix("the kernel's reply to a route query could not be parsed: "))
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func `decoding terminates for arbitrary bytes`(seed: UInt64) throws {
        var random = Random(seed: seed)
        let question = RouteQuery(address: try IPAddress("192.0.2.1"), sequence: 7)
        let whole = [
            Datagram.route(type: 1, attributes: [Self.interface3, Datagram.multipath(flags: [0, 16])]),
            Datagram.error(EINVAL, words: "no"),
        ]
        for _ in 0..<400 {
            var bytes = whole.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    [0, 1, 4, 16, 255, .random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
            let noise = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for datagram in [bytes, noise, bytes + noise] {
                _ = question.answer(in: datagram[...], from: 0)
                _ = try? NetlinkAttribute.all(in: datagram[...])
            }
        }
    }
}
