import IPAPI
import RecordKeeping
import Testing

/// Elements whose bytes are known from an earlier reply.
@Suite struct DigestTests {
    private let decoder: ReplyDecoder
    private let addresses = ["1.1.1.1", "8.8.8.8", "9.9.9.9"]

    init() throws {
        decoder = ReplyDecoder(try Provider())
    }

    private func element(_ address: String, city: String = "Zürich \\\"Ost\\\"") -> String {
        #"{"query":"\#(address)","status":"success","city":"\#(city)","lat":47.5,"isp":null}"#
    }

    private var elements: [String] { addresses.map { element($0) } }

    private func body(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

    private func call(
        _ addresses: [String], _ endpoint: Call.Endpoint = .batch, digests: [IPAddress: ElementDigest] = [:]
    ) throws -> Call {
        let addresses = try addresses.map { try IPAddress($0) }
        return Call(
            id: Call.ID(number: 1), endpoint: endpoint, addresses: addresses, digests: addresses.map { digests[$0] })
    }

    /// Decodes a body, and returns a call for the same addresses with the digests of its elements.
    private func callAfter(_ body: String, _ endpoint: Call.Endpoint = .batch) throws -> Call {
        let requested = endpoint == .single ? [addresses[0]] : addresses
        let first = try decoder.reply(to: try call(requested, endpoint), from: reply(body))
        return try call(requested, endpoint, digests: first.digests)
    }

    /// Returns whether each address of the call has a repeated element; nil for an address without any answer.
    private func repetitions(in body: String, to call: Call) throws -> [Bool?] {
        let reply = try decoder.reply(to: call, from: reply(body))
        return call.addresses.enumerated().map { index, address in
            reply.repeats(index) ? true : reply.answers[address].map { _ in false }
        }
    }

    @Test(arguments: [Call.Endpoint.batch, .single])
    func `an element that is repeated byte for byte is not decoded`(endpoint: Call.Endpoint) throws {
        let body = endpoint == .batch ? body(elements) : elements[0]
        let call = try callAfter(body, endpoint)
        #expect(call.digests.allSatisfy { $0 != nil })
        let repeated = try decoder.reply(to: call, from: reply(body))
        #expect(repeated.repetitions == call.addresses.map { _ in true })
        #expect(repeated.answers.isEmpty && repeated.digests.isEmpty)
    }

    @Test func `only a changed element is decoded`() throws {
        let call = try callAfter(body(elements))
        let changed = [elements[0], element(addresses[1], city: "Ulm"), elements[2]]
        let second = try decoder.reply(to: call, from: reply(body(changed)))
        #expect(second.answers[call.addresses[1]]?.record?.city == "Ulm")
        #expect(second.digests.keys.map(\.description) == [addresses[1]])
        #expect(second.digests[call.addresses[1]] != call.digests[1])
        #expect(try repetitions(in: body(changed), to: call) == [true, false, true])
    }

    @Test func `an answer without a record can be repeated`() throws {
        let empty = #"{"query":"9.9.9.9","status":"fail","message":"reserved range"}"#
        let body = body([elements[0], elements[1], empty])
        #expect(try repetitions(in: body, to: try callAfter(body)) == [true, true, true])
    }

    @Test func `elements in another order are decoded`() throws {
        let call = try callAfter(body(elements))
        #expect(try repetitions(in: body([elements[1], elements[0], elements[2]]), to: call) == [false, false, true])
        #expect(try repetitions(in: body([elements[1], elements[2]]), to: call) == [nil, false, false])
    }

    @Test func `whitespace around an element does not matter, but whitespace in it does`() throws {
        let call = try callAfter(body(elements))
        #expect(try repetitions(in: "[ \(elements.joined(separator: " ,\n")) ]", to: call) == [true, true, true])
        let spaced = elements[0].replacing(",", with: ", ")
        #expect(try repetitions(in: body([spaced, elements[1], elements[2]]), to: call) == [false, true, true])
    }

    @Test(arguments: ["]x", "", ",", ",]", "}", ",{}}"])
    func `a body that is invalid after repeated elements is refused`(end: String) throws {
        let call = try callAfter(body(elements))
        let invalid = "[\(elements.joined(separator: ","))\(end)"
        #expect(throws: CallFailure.self) { try decoder.reply(to: call, from: reply(invalid)) }
    }

    @Test func `a truncated element is refused`() throws {
        let call = try callAfter(body(elements))
        for count in [1, 2, elements[0].utf8.count] {
            let truncated = String(body(elements).dropLast(count))
            #expect(throws: CallFailure.self) { try decoder.reply(to: call, from: reply(truncated)) }
        }
    }

    @Test func `another element for the address of a repeated one is ignored`() throws {
        let call = try callAfter(body(elements))
        let extended = body(elements + [element(addresses[0], city: "Ulm")])
        #expect(try repetitions(in: extended, to: call) == [true, true, true])
    }

    @Test func `an element without an address, a malformed one and a long one have no digest`() throws {
        let anonymous = #"{"status":"success","city":"Ulm"}"#
        #expect(try callAfter(anonymous, .single).digests == [nil])
        #expect(try callAfter(#"{"query":"1.1.1.1","status":"success","lat":91}"#, .single).digests == [nil])
        let long = element(addresses[0], city: String(repeating: "x", count: 16_384))
        let call = try callAfter(long, .single)
        #expect(call.digests == [nil])
        #expect(try repetitions(in: long, to: call) == [false])
    }
}
