import Control
import Daemon
import Glibc
import IPAPI
import RecordKeeping
import RouteMonitor
import Varlink

/// The parsers of untrusted input, each with properties that must hold for any input.
///
/// A run also shows that the parser terminates, reads no memory out of bounds, and does not trap.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Bytes of a client: framing, decoding, and requests.
    case varlink
    /// Replies of the kernel.
    case netlink
    /// Replies of the provider.
    case reply
    /// Replies of the documented shape with extreme values. The input selects the changes of a sample.
    case replyShape = "reply-shape"
    /// Calls of every method with extreme values, from the bytes to the keeper. The input selects the changes of a
    /// sample.
    case callShape = "call-shape"
    /// Watch-list files.
    case lists
    /// The configuration file.
    case configuration
    /// A single address, compared with inet_pton(3).
    case address
    /// MMDB files of the writer, compared with what libmaxminddb reads from them. The input selects the content.
    case database
    /// Addresses in a text.
    case finder

    /// The error of a property that does not hold.
    package struct Finding: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs the target with one input.
    ///
    /// - Throws: `Finding` if a property does not hold; some violations trap instead.
    package func test(_ input: [UInt8]) throws {
        switch self {
        case .varlink: try Self.testVarlink(input)
        case .netlink: Self.testNetlink(input)
        case .reply: try Self.testReply(input)
        case .replyShape: try Self.testReplyShape(input)
        case .callShape: try Self.testCallShape(input)
        case .lists: try Self.testLists(input)
        case .configuration: Self.testConfiguration(input)
        case .address: try Self.testAddress(input)
        case .database: try Self.testDatabase(input)
        case .finder: try Self.testFinder(input)
        }
    }

    static func expect(_ holds: Bool, _ description: @autoclosure () -> String) throws(Finding) {
        guard holds else { throw Finding(description: description()) }
    }

    // MARK: Varlink

    /// The same calls are decoded however the bytes are divided into pieces.
    private static func testVarlink(_ input: [UInt8]) throws {
        guard let first = input.first else { return }
        let bytes = input.dropFirst()
        let size = Int(first) + 1
        let pieces = stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map {
            bytes[$0..<min($0 + size, bytes.endIndex)]
        }
        let (whole, cut) = (calls(in: [bytes]), calls(in: pieces))
        try expect(whole == cut, "in one piece: \(whole); in pieces of \(size) bytes: \(cut)")
        // An unknown member changes nothing.
        let messages = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        for message in messages where message.first == UInt8(ascii: "{") && message.count < 200 {
            let (plain, other) = (calls(in: [message + [0]]), calls(in: [marked(message) + [0]]))
            try expect(plain == other, "alone: \(plain); with an unknown member: \(other)")
            try expectSameOnFastPath(message)
        }
    }

    /// If the fast path accepts a message, the decoder reads the same `Show`.
    private static func expectSameOnFastPath(_ message: ArraySlice<UInt8>) throws {
        var scanner = ShowScanner()
        let isShow = message.withUnsafeBufferPointer { scanner.read($0, maximum: 512) }
        guard isShow else { return }
        var conversation = ServerConversation(limitBytes: 256)
        conversation.receive(message + [0])
        guard let call = try conversation.next(), !call.wantsMore, !call.isOneway, !call.wantsUpgrade,
            try Request.Body(call) == scanner.request
        else { throw Finding(description: "fast path only: \(scanner.request)") }
    }

    /// Returns the message with an unknown member added.
    static func marked(_ message: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isEmpty = message.dropFirst().first { $0 > 0x20 } == UInt8(ascii: "}")
        return [UInt8(ascii: "{")] + Array((isEmpty ? #""-":0"# : #""-":0,"#).utf8) + message.dropFirst()
    }

    /// Returns the meaning of each call that is decoded from the pieces, and the error that ends the conversation.
    ///
    /// - Parameter limitBytes: the maximum size of a message; low by default, so that inputs often exceed it.
    static func calls(in pieces: [ArraySlice<UInt8>], limitBytes: Int = 256) -> [String] {
        var conversation = ServerConversation(limitBytes: limitBytes)
        var found: [String] = []
        for piece in pieces {
            conversation.receive(piece)
            do throws(ConversationError) {
                while let call = try conversation.next() {
                    found.append(meaning(of: call))
                    _ = conversation.finished([])
                }
            } catch {
                found.append("\(error)")
                return found
            }
        }
        return found
    }

    private static func meaning(of call: IncomingCall) -> String {
        do throws(ControlError) {
            let body = try Request.Body(call)
            return "\(call.method) \(body)"
        } catch {
            return "\(call.method) \(String(decoding: OutgoingReply.error(error), as: UTF8.self))"
        }
    }

    // MARK: Netlink

    private static func testNetlink(_ input: [UInt8]) {
        let question = RouteQuery(address: IPAddress(v4: 0x0101_0101), sequence: 1)
        let answer = question.answer(in: input[...], from: 0)
        if let answer { _ = RouteAnswer.status(of: [answer]) { _ in nil } }
    }

    // MARK: The provider

    private static let asked = [
        IPAddress(v4: 0x0101_0101), IPAddress(v4: 0x0808_0808), IPAddress(high: 0x2001_0470 << 32, low: 1),
    ]
    private static let statuses = [200, 200, 200, 200, 429, 403, 503, 302]

    /// A reply has answers only for addresses of the call, and a quota within bounds. A decoder that has seen the reply
    /// decodes it in the same way.
    static func testReply(_ input: [UInt8]) throws {
        guard input.count >= 4 else { return }
        let endpoint = input[0] % 2 == 0 ? Call.Endpoint.batch : .single
        let addresses = endpoint == .batch ? asked : [asked[0]]
        let call = Call(id: Call.ID(number: 1), endpoint: endpoint, addresses: addresses)
        let now = Instant(boot: BootTime(nanoseconds: 0), wall: WallTime(milliseconds: 0))
        var headers = [(name: "X-Rl", value: number(input[2])), (name: "x-ttl", value: number(input[3]))]
        if input[0] & 2 != 0 { headers = [] }
        let raw = RawReply(
            status: statuses[Int(input[1]) % statuses.count], headers: headers, body: Array(input.dropFirst(4)),
            sentAt: now)
        let decoder = ReplyDecoder(try provider())
        let (first, second) = (result(decoder, call, raw), result(decoder, call, raw))
        try expect(first == second, "at first: \(first); with cached values: \(second)")
        switch first {
        case .success(let reply): try check(reply, addresses)
        case .failure(let failure): try expect(!failure.message.isEmpty, "a failure without a message")
        }
    }

    private static func result(_ decoder: ReplyDecoder, _ call: Call, _ raw: RawReply) -> Result<Reply, CallFailure> {
        Result { () throws(CallFailure) in try decoder.reply(to: call, from: raw) }
    }

    /// Returns a number as text: small for most bytes, otherwise too large, negative or invalid.
    private static func number(_ byte: UInt8) -> String {
        let odd = [
            "", "-1", " 7 ", "x", "1000001", "9223372036854775807", "-9223372036854775808", "99999999999999999999",
        ]
        return byte < 248 ? "\(byte)" : odd[Int(byte) - 248]
    }

    private static func provider() throws(CallFailure) -> Provider {
        do {
            return try Provider()
        } catch {
            throw CallFailure(kind: .rejected, message: "\(error)")
        }
    }

    private static func check(_ reply: Reply, _ addresses: [IPAddress]) throws(CallFailure) {
        let strangers = Set(reply.answers.keys).subtracting(addresses)
        precondition(strangers.isEmpty, "answers for addresses outside the call: \(strangers)")
        precondition(reply.quota.remaining ?? 0 <= ReportedQuota.maxRequests, "invalid quota: \(reply.quota)")
        precondition(
            reply.quota.remaining ?? 0 >= 0 && reply.quota.resetsIn ?? .zero >= .zero,
            "invalid quota: \(reply.quota)")
    }

    // MARK: Files

    /// A line of a watch list has the same meaning after it was read and written again.
    private static func testLists(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        for listed in WatchListText(text).listed {
            let line = "\(listed.address) \(listed.tags.joined(separator: " "))\(listed.note.map { " # \($0)" } ?? "")"
            let again = WatchListText(line)
            try expect(again.listed == [listed] && again.badLines.isEmpty, "\"\(line)\" was read as \(again)")
        }
    }

    private static func testConfiguration(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        for error in Configuration.read(text: text, file: "it.toml", places: .system).errors {
            precondition("\(error)".contains("it.toml"), "\(error) does not name the file")
        }
    }

    // MARK: Addresses

    /// `IPAddress` accepts the same texts as inet_pton(3), and its description is read as the same address.
    private static func testAddress(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        let address = try? IPAddress(text)  // The kind of error does not matter.
        if !input.contains(0) {
            try expect(
                address == reference(text),
                "\"\(text)\": \(address as Any) by IPAddress, \(reference(text) as Any) by inet_pton")
        }
        let plain = input.withUnsafeBufferPointer { IPAddress(plain: $0) ?? IPAddress(plainV6: $0) }
        try expect(plain == address, "\"\(text)\": \(plain as Any) without an allocation")
        guard let address else { return }
        try expect(try IPAddress(address.description) == address, "\(address) is parsed as another address")
    }

    private static func reference(_ text: String) -> IPAddress? {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return IPAddress(v4: UInt32(bigEndian: v4.s_addr)) }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        func half(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        return IPAddress(high: half(bytes[..<8]), low: half(bytes[8...]))
    }
}
