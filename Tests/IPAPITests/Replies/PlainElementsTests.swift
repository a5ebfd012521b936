import RecordKeeping
import Testing

@testable import IPAPI

/// Both readers, in one pass and with `JSONDecoder`, agree on every reply.
@Suite struct PlainElementsTests {
    private static let plain = """
        [{"query":"1.1.1.1","status":"success","continent":"Europe","continentCode":"EU","country":"Germany",\
        "countryCode":"DE","region":"BE","regionName":"Land Berlin","city":"Zürich am Rhein","district":"","zip":"10115",\
        "lat":52.5244,"lon":-13.4105,"timezone":"Europe/Berlin","offset":3600,"currency":"EUR","isp":"Northwater",\
        "org":" ","as":"AS64496 Northwater","asname":"NORTH","reverse":"a.example","mobile":false,"proxy":true,\
        "hosting":false}, {"hosting":null,"lat":-0,"lon":180,"offset":-43200,"city":"Ulm","status":"success",\
        "query":"2001:db8::1"}]
        """

    private static func elements(_ body: String, maximum: Int = 10) -> [Element]? {
        var recent = RecentValues()
        return PlainElements.read(Array(body.utf8), isBatch: body.hasPrefix("["), maximum: maximum, recent: &recent)
    }

    private static func result(_ body: [UInt8], isQuick: Bool) throws -> Result<Reply, CallFailure> {
        let call = try batch("1.1.1.1", "2001:db8::1")
        let decoder = ReplyDecoder(try Provider(), isQuick: isQuick)
        let raw = RawReply(status: 200, body: body, sentAt: someTime)
        return Result { () throws(CallFailure) in try decoder.reply(to: call, from: raw) }
    }

    @Test func `a usual reply of the provider is read in one pass`() throws {
        let elements = try #require(Self.elements(Self.plain))
        #expect(elements.map(\.echo) == [.text("1.1.1.1"), .text("2001:db8::1")])
        let whole = try Self.result(Array(Self.plain.utf8), isQuick: false)
        #expect(try Self.result(Array(Self.plain.utf8), isQuick: true) == whole)
        guard case .success(let reply) = whole else { throw CallFailure(kind: .malformed, message: "\(whole)") }
        let record = try #require(reply.answers[try IPAddress("1.1.1.1")]?.record)
        #expect(record.lat == 52.5244 && record.lon == -13.4105 && record.offset == 3600)
        #expect(record.city == "Zürich am Rhein" && record.district == nil && record.org == nil)
        #expect(record.mobile == false && record.proxy == true)
        #expect(reply.answers[try IPAddress("2001:db8::1")]?.record?.lat == 0)
    }

    @Test(arguments: [
        "", "[", "{}", "null", #"[{"status":"success","query":"1.1.1.1"}"#, #"[{"status":"success"}]"#,
        #"[{"status":"fail","message":"private range","query":"1.1.1.1"}]"#,
        #"[{"status":"success","query":"1.1.1.1","city":"a\u0062"}]"#,
        #"[{"status":"success","query":"1.1.1.1","else":1}]"#,
        #"[{"status":"success","query":"1.1.1.1","lat":"52.5"}]"#,
        #"[{"status":"success","query":"1.1.1.1","lat":91}]"#,
        #"[{"status":"success","query":"1.1.1.1","lat":1e1}]"#, #"[{"status":"success","query":"1.1.1.1","lat":1.}]"#,
        #"[{"status":"success","query":"1.1.1.1","lat":.5}]"#, #"[{"status":"success","query":"1.1.1.1","lat":01}]"#,
        #"[{"status":"success","query":"1.1.1.1","offset":90000}]"#,
        #"[{"status":"success","query":"1.1.1.1","city":7}]"#,
        #"[{"status":"success","query":"1.1.1.1","mobile":1}]"#, #"[{"status":"success","query":"1.1.1.1"}] x"#,
        #"[{"status":"success","query":"1.1.1.1","city":"a","city":"b"}]"#, #"[{"status":"success","query":1}]"#,
    ])
    func `any other form is left to the decoder`(body: String) {
        #expect(Self.elements(body) == nil)
    }

    @Test func `a reply with too many elements is left to the decoder`() {
        #expect(Self.elements(Self.plain, maximum: 1) == nil)
    }

    @Test func `places and networks with equal fields are stored once`() throws {
        var recent = RecentValues()
        let body = Array(Self.plain.utf8)
        let records = try (0..<2).map { _ in
            let elements = try #require(PlainElements.read(body, isBatch: true, maximum: 2, recent: &recent))
            guard case .record(let record) = elements[0].outcome else {
                throw CallFailure(kind: .malformed, message: "")
            }
            return record
        }
        #expect(records[0].place.isSame(as: records[1].place) && records[0].network.isSame(as: records[1].network))
    }

    @Test(arguments: 0..<20)
    func `both readers agree on garbled replies`(seed: Int) throws {
        var random = Random(seed: UInt64(seed))
        for _ in 0..<250 {
            var body = Array(Self.plain.utf8)
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<body.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: body[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: body[place] = UInt8.random(in: 0x20..<0x7F, using: &random)
                case 2: body.remove(at: place)
                default: body.insert(body[Int.random(in: 0..<body.count, using: &random)], at: place)
                }
            }
            let (quick, whole) = (try Self.result(body, isQuick: true), try Self.result(body, isQuick: false))
            #expect(quick == whole, "\(String(decoding: body, as: UTF8.self))")
        }
    }
}
