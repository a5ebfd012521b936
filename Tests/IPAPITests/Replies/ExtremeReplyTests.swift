import ExtremeJSON
import RecordKeeping
import Testing

@testable import IPAPI

/// Each field of a reply with every JSON type and the extreme values of each type, at both endpoints.
@Suite struct ExtremeReplyTests {
    private static let element = """
        {"query":"1.1.1.1","status":"success","message":null,"continent":"Europe","continentCode":"EU","country":"Germany",
        "countryCode":"DE","region":"BE","regionName":"Berlin","city":"Ulm","district":"","zip":"10115","lat":52.5,"lon":13.25,
        "timezone":"Europe/Berlin","offset":3600,"currency":"EUR","isp":"Northwater","org":" ","as":"AS64496 Northwater",
        "asname":"NORTH","reverse":"a.example","mobile":false,"proxy":true,"hosting":false}
        """
    private static let fail = #"{"status":"fail","message":"private range","query":"1.1.1.1"}"#

    private static func expectSound(_ body: String, to call: Call, _ description: String, status: Int = 200) throws {
        let decoder = ReplyDecoder(try Provider())
        let result = Result { () throws(CallFailure) in
            try decoder.reply(to: call, from: reply(body, status: status))
        }
        switch result {
        case .success(let reply): reply.answers.values.forEach(expectWhole)
        case .failure(let failure):
            #expect(!failure.message.isEmpty && failure.message.utf8.count < 400, "\(description)")
        }
    }

    @Test(arguments: Call.Endpoint.allCases, [element, fail])
    func `any value in any field of an element leads to an answer or a failure`(
        endpoint: Call.Endpoint, element: String
    ) throws {
        let document = endpoint == .single ? element : "[\(element),\(Self.fail.replacing("1.1.1.1", with: "8.8.8.8"))]"
        let call = try endpoint == .single ? single("1.1.1.1") : batch("1.1.1.1", "8.8.8.8")
        for variant in try JSONNode(document).variants() {
            try Self.expectSound(variant.text, to: call, variant.description)
        }
    }

    @Test func `an extreme value in one field affects only its element`() throws {
        let call = try batch("1.1.1.1", "8.8.8.8")
        let document = try JSONNode("[\(Self.element),\(Self.element.replacing("1.1.1.1", with: "8.8.8.8"))]")
        let whole = try answers(to: call, in: document.text)[call.addresses[1]]
        for variant in document.variants(at: document.paths.filter { $0.count == 2 && $0[0] == 0 }) {
            guard !variant.text.contains("]]]]]]]]]]") else { continue }  // No reader accepts the deepest nesting.
            let reported = try answers(to: call, in: variant.text)
            #expect(reported[call.addresses[1]] == whole, "\(variant)")
        }
    }

    @Test(arguments: [429, 401, 403, 302, 404, 500])
    func `any value in the body of a refusal leads to a failure with a message`(status: Int) throws {
        for variant in try JSONNode(Self.fail).variants() {
            try Self.expectSound(variant.text, to: single("1.1.1.1"), variant.description, status: status)
        }
    }

    @Test func `any value of a quota header is clamped`() throws {
        let call = try batch("1.1.1.1")
        let values = ExtremeValues.numbers + ExtremeValues.texts + ["", " ", "+7", "1,5", "0x10", "٣", "7 8", "\u{0}"]
        for value in values {
            for headers in [[("X-Rl", value)], [("X-Ttl", value)], [("x-rl", value), ("x-ttl", value)]] {
                let reported = try ReplyDecoder(try Provider()).reply(to: call, from: reply("[]", headers: headers))
                    .quota
                #expect((0...ReportedQuota.maxRequests).contains(reported.remaining ?? 0), "\(headers)")
                #expect((.zero...Duration.seconds(3_600)).contains(reported.resetsIn ?? .zero), "\(headers)")
            }
        }
    }

    @Test(arguments: 0..<8)
    func `several extreme values lead to answers or a failure`(seed: Int) throws {
        var random = Random(seed: UInt64(seed))
        let shapes = try [JSONNode(Self.element), JSONNode("[\(Self.element),\(Self.fail),\(Self.element)]")]
        let calls = try [single("1.1.1.1"), batch("1.1.1.1", "8.8.8.8")]
        for number in 0..<250 {
            var mutator = DocumentMutator(choices: (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) })
            let document = mutator.document(like: shapes[number % 2])
            try Self.expectSound(document.text, to: calls[number % 2], document.text)
        }
    }
}
