/// Netlink datagrams in the kernel's encoding, for the tests of the parser.
enum Datagram {
    static func message(
        type: UInt16, flags: UInt16 = 0, sequence: UInt32 = 7, length: UInt32? = nil, payload: [UInt8]
    ) -> [UInt8] {
        bytes(length ?? UInt32(16 + payload.count)) + bytes(type) + bytes(flags) + bytes(sequence) + bytes(UInt32(0))
            + payload
    }

    static func attribute(_ type: UInt16, _ payload: [UInt8]) -> [UInt8] {
        let bare = bytes(UInt16(4 + payload.count)) + bytes(type) + payload
        return bare + Array(repeating: 0, count: (4 - bare.count % 4) % 4)
    }

    /// RTM_NEWROUTE with struct rtmsg and attributes.
    static func route(type: UInt8, flags: UInt32 = 0, attributes: [[UInt8]] = [], sequence: UInt32 = 7) -> [UInt8] {
        message(
            type: 24, sequence: sequence,
            payload: [2, 0, 0, 0, 254, 3, 0, type] + bytes(flags) + attributes.flatMap { $0 })
    }

    /// RTA_MULTIPATH with one next hop per element of `flags`, over the interfaces 3, 4, ….
    static func multipath(flags: [UInt8]) -> [UInt8] {
        attribute(
            9,
            flags.enumerated().flatMap { index, flags in
                let gateway = attribute(5, [10, 0, 0, 1])
                return bytes(UInt16(8 + gateway.count)) + [flags, 0] + bytes(Int32(3 + index)) + gateway
            })
    }

    /// NLMSG_ERROR with the header of the request, capped, and an optional explanation.
    static func error(_ code: Int32, words: String? = nil, sequence: UInt32 = 7) -> [UInt8] {
        let echo = message(type: 26, sequence: sequence, length: 36, payload: [])
        let explanation = words.map { attribute(1, Array($0.utf8) + [0]) } ?? []
        return message(
            type: 2, flags: 0x100 | (words == nil ? 0 : 0x200), sequence: sequence,
            payload: bytes(-code) + echo + explanation)
    }

    static func bytes(_ value: some FixedWidthInteger & BitwiseCopyable) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }
}
