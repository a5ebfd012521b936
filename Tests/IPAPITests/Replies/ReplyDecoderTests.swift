import IPAPI
import RecordKeeping
import Testing

@Suite struct ReplyDecoderTests {
    private func city(_ name: String, _ query: String) -> String {
        #"{"status":"success","city":"\#(name)","query":"\#(query)"}"#
    }

    @Test func `a reply in another order is matched by query`() throws {
        let call = try batch("1.1.1.1", "8.8.8.8", "9.9.9.9")
        let reported = try answers(
            to: call, in: "[\(city("c", "9.9.9.9")),\(city("a", "1.1.1.1")),\(city("b", "8.8.8.8"))]")
        #expect(call.addresses.map { reported[$0]?.record?.city } == ["a", "b", "c"])
    }

    @Test(arguments: ["1000001", "92233720368547759", "9223372036854775807"])
    func `an implausible number of requests left is clamped`(left: String) throws {
        let call = try batch("1.1.1.1")
        let reported = try ReplyDecoder(try Provider()).reply(
            to: call, from: reply("[]", headers: [("X-Rl", left), ("X-Ttl", "9")]))
        #expect(reported.quota.remaining == ReportedQuota.maxRequests)
    }

    @Test func `a short body with millions of elements is refused`() throws {
        let call = try batch("1.1.1.1")
        let body = "[" + String(repeating: "0,", count: 1_000_000) + city("a", "1.1.1.1") + "]"
        #expect(throws: CallFailure.self) { try answers(to: call, in: body) }
    }

    @Test func `elements match in any notation of the address`() throws {
        let call = try batch("2001:db8::1", "1.1.1.1")
        let reported = try answers(
            to: call,
            in: "[\(city("six", "2001:0DB8:0:0:0:0:0:1")),\(city("four", "::ffff:1.1.1.1"))]")
        #expect(call.addresses.map { reported[$0]?.record?.city } == ["six", "four"])
    }

    @Test func `an address without an element is missing from the answers`() throws {
        let call = try batch("1.1.1.1", "8.8.8.8")
        let reported = try answers(to: call, in: "[\(city("b", "8.8.8.8"))]")
        #expect(reported.keys.map(\.description) == ["8.8.8.8"])
        #expect(try answers(to: call, in: "[]").isEmpty)
    }

    @Test func `elements that are malformed or for other addresses are ignored`() throws {
        let call = try batch("1.1.1.1")
        let reported = try answers(
            to: call,
            in: """
                [\(city("x", "4.4.4.4")), \(city("x", "one.one.one.one")), \(city("x", "01.1.1.1")),
                {"status":"success","city":"x"}, {"status":"success","query":7}, {"query":null}, null, 5, "1.1.1.1", [],
                {"query":"\(String(repeating: "1", count: 5_000))"}, \(city("a", "1.1.1.1"))]
                """)
        #expect(reported.count == 1)
        #expect(reported.values.first?.record?.city == "a")
    }

    @Test func `the first usable element of an address counts`() throws {
        let call = try batch("1.1.1.1")
        let bad = #"{"status":"success","city":5,"query":"1.1.1.1"}"#
        let worse = #"{"status":"?","query":"1.1.1.1"}"#
        let (a, b) = (city("a", "1.1.1.1"), city("b", "1.1.1.1"))
        func cities(_ elements: String...) throws -> String? {
            let reported = try answers(to: call, in: "[\(elements.joined(separator: ","))]")
            return reported[call.addresses[0]].flatMap { $0.record?.city ?? $0.problem }
        }
        #expect(try cities(a, b) == "a")
        #expect(try cities(bad, b, a) == "b")
        #expect(try cities(a, bad) == "a")
        #expect(try cities(bad, worse) == "city is not a string")
    }

    @Test func `a bad element does not affect the others`() throws {
        let call = try batch("1.1.1.1", "8.8.8.8")
        let reported = try answers(
            to: call, in: #"[{"status":"success","lat":"north","query":"1.1.1.1"},\#(city("b", "8.8.8.8"))]"#)
        #expect(reported[call.addresses[0]]?.problem == "lat is \"north\", not a number")
        #expect(reported[call.addresses[1]]?.record?.city == "b")
    }

    @Test func `a single reply without query is about the requested address`() throws {
        let call = try single("1.1.1.1")
        for query in ["", #","query":null"#] {
            let reported = try answers(to: call, in: #"{"status":"success","city":"a"\#(query)}"#)
            #expect(reported[call.addresses[0]]?.record?.city == "a")
        }
    }

    @Test func `a single reply about another address contains no answer`() throws {
        #expect(try answers(to: try single("1.1.1.1"), in: city("x", "8.8.8.8")).isEmpty)
    }

    @Test func `a single reply whose query is not a string is malformed`() throws {
        let call = try single("1.1.1.1")
        let reported = try answers(to: call, in: #"{"status":"success","query":1.1}"#)
        #expect(reported[call.addresses[0]]?.problem == "query is not a string")
    }

    @Test func `an element with status fail is an answer`() throws {
        let call = try batch("10.0.0.1", "::1", "1.1.1.1", "8.8.8.8")
        let reported = try answers(
            to: call,
            in: """
                [{"message":"private range","query":"10.0.0.1","status":"fail"},
                {"status":"fail","message":"reserved range","query":"::1"},
                {"status":"fail","message":"invalid query","query":"1.1.1.1"},
                {"status":"fail","query":"8.8.8.8"}]
                """)
        #expect(
            call.addresses.map { reported[$0]?.emptyReason }
                == ["private range", "reserved range", "invalid query", "no reason given"])
    }

    @Test func `a fail without query counts only with a reason specific to the address`() throws {
        let call = try single("10.0.0.1")
        func reported(_ message: String) throws -> ElementAnswer? {
            try answers(to: call, in: #"{"status":"fail","message":"\#(message)"}"#)[call.addresses[0]]
        }
        #expect(try reported("private range")?.emptyReason == "private range")
        #expect(
            try reported("invalid query")?.problem
                == "query is missing, and the provider reports a failure: invalid query")
        #expect(try reported("quota exceeded")?.problem?.contains("quota exceeded") == true)
    }

    @Test func `a reply contains the time of sending and the quota`() throws {
        let raw = reply("[]", headers: [("x-rl", " 14 "), ("X-TTL", "37")])
        let decoded = try ReplyDecoder(try Provider()).reply(to: try batch("1.1.1.1"), from: raw)
        #expect(decoded.sentAt == someTime)
        #expect(decoded.quota == ReportedQuota(remaining: 14, resetsIn: .seconds(37)))
    }

    @Test(
        arguments: [
            ("0", "60", 0, 60), ("-1", "-5", 0, 0), ("many", "soon", nil, nil), ("", " ", nil, nil),
            ("1.5", "5.5", nil, nil),
            ("99999999999999999999", "99999999999999999999", nil, nil), ("1000000", "1000000", 1_000_000, 3_600),
        ] as [(String, String, Int?, Int?)])
    func `quota headers are clamped or ignored`(left: String, ttl: String, remaining: Int?, seconds: Int?) throws {
        let raw = reply("[]", headers: [("X-Rl", left), ("X-Ttl", ttl)])
        let reported = try ReplyDecoder(try Provider()).reply(to: try batch("1.1.1.1"), from: raw).quota
        #expect(reported == ReportedQuota(remaining: remaining, resetsIn: seconds.map { .seconds($0) }))
    }

    @Test(arguments: ["Zürich", #"Z\u00fcrich \"am\" See"#, ""])
    func `places and networks with equal fields are stored once`(city: String) throws {
        let decoder = ReplyDecoder(try Provider())
        let call = try batch("1.1.1.1", "8.8.8.8")
        let elements = call.addresses.map {
            #"{"status":"success","city":"\#(city)","offset":7200,"isp":"\#(city)","query":"\#($0)"}"#
        }
        let records = try (0..<2).flatMap { _ in
            let answers = try decoder.reply(to: call, from: reply("[\(elements.joined(separator: ","))]")).answers
            return try call.addresses.map { try #require(answers[$0]?.record) }
        }
        #expect(records.allSatisfy { $0 == records[0] && $0.offset == 7_200 })
        #expect(records.allSatisfy { $0.place.isSame(as: records[0].place) })
        #expect(records.allSatisfy { $0.network.isSame(as: records[0].network) })
    }

    @Test func `places that differ in one field are different`() throws {
        let call = try batch("1.1.1.1", "8.8.8.8", "9.9.9.9")
        let reported = try answers(
            to: call,
            in: """
                [{"status":"success","region":"a","query":"1.1.1.1"},
                {"status":"success","regionName":"a","query":"8.8.8.8"},
                {"status":"success","region":"a","offset":1,"query":"9.9.9.9"}]
                """)
        let records = try call.addresses.map { try #require(reported[$0]?.record) }
        #expect(records.map(\.region) == ["a", nil, "a"] && records.map(\.regionName) == [nil, "a", nil])
        #expect(records.map(\.offset) == [nil, nil, 1])
    }

    @Test func `a reply without quota headers contains no quota`() throws {
        let reported = try ReplyDecoder(try Provider()).reply(to: try batch("1.1.1.1"), from: reply("[]")).quota
        #expect(reported == ReportedQuota(remaining: nil, resetsIn: nil))
    }
}
