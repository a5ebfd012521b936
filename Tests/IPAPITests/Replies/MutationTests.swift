import RecordKeeping
import Testing

@testable import IPAPI

/// The decoder returns a reply or a failure for any input, and every record in a reply is within all bounds.
@Suite struct MutationTests {
    private static let good = Array(
        """
        [{"status":"success","continent":"Europe","countryCode":"DE","city":"Zürich \\u00e9","lat":52.5,"lon":-13.25,\
        "offset":3600,"as":"AS64496 Northwater","reverse":"a.example","mobile":false,"proxy":true,"hosting":false,\
        "query":"1.1.1.1"},{"status":"fail","message":"private range","query":"10.0.0.1"},\
        {"status":"success","city":"","zip":null,"lat":"1.5","lon":2e1,"query":"2001:db8::1"}]
        """.utf8)

    /// Fragments that often break parsers, for insertion at any position.
    private static let fragments = [
        "[", "]", "{", "}", "\"", ",", ":", "null", "-", "1e999", "\\u0000", "\\ud83d", "\"query\":", "\"status\":",
        "\u{FEFF}",
        "[[[[[[[[", "0x", "NaN", "//", "\u{202E}", "9999999999999999999999",
    ].map { Array($0.utf8) }

    @Test(arguments: 0..<40)
    func `no mutation of a reply crashes the decoder or yields a partial record`(seed: Int) throws {
        var random = Random(seed: UInt64(seed))
        let call = try batch("1.1.1.1", "10.0.0.1", "2001:db8::1")
        let decoder = ReplyDecoder(try Provider())
        for _ in 0..<250 {
            var body = Self.good
            for _ in 0...Int.random(in: 0..<4, using: &random) { mutate(&body, with: &random) }
            do {
                let reply = try decoder.reply(to: call, from: RawReply(status: 200, body: body, sentAt: someTime))
                #expect(Set(reply.answers.keys).isSubset(of: call.addresses))
                for answer in reply.answers.values { expectWhole(answer) }
            } catch {
                #expect(error.kind == .malformed)
                #expect(!error.message.isEmpty && error.message.utf8.count < 400)
                #expect(error.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            }
        }
    }

    @Test func `a reply truncated at any byte is malformed`() throws {
        let call = try batch("1.1.1.1", "10.0.0.1", "2001:db8::1")
        for count in 0..<Self.good.count {
            let raw = RawReply(status: 200, body: Array(Self.good.prefix(count)), sentAt: someTime)
            #expect(failure(of: raw, to: call, from: try Provider())?.kind == .malformed)
        }
        let whole = RawReply(status: 200, body: Self.good, sentAt: someTime)
        #expect(failure(of: whole, to: call, from: try Provider()) == nil)
    }

    private func mutate(_ body: inout [UInt8], with random: inout Random) {
        let place = Int.random(in: 0..<max(1, body.count), using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: if !body.isEmpty { body[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 1: if !body.isEmpty { body[place] = UInt8.random(in: 0...255, using: &random) }
        case 2: if !body.isEmpty { body.remove(at: place) }
        case 3: body.removeLast(body.count - place)
        case 4: body.insert(contentsOf: Self.fragments.randomElement(using: &random) ?? [], at: min(place, body.count))
        default:
            let end = min(body.count, place + Int.random(in: 0..<60, using: &random))
            body.insert(contentsOf: Array(body[min(place, end)..<end]), at: min(place, body.count))
        }
    }
}
