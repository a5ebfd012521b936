import IPAPI
import ProviderModel
import RecordKeeping
import Testing

/// The records of unusual addresses.
@Suite struct OddityTests {
    /// Addresses that are spread over all networks and places.
    private static let addresses = (0..<5_000).map { number in
        let bits = UInt32(truncatingIfNeeded: number &* 2_654_435_761)
        return number % 5 == 0
            ? IPAddress(high: 0x2A00_0000_0000_0000 | UInt64(bits), low: UInt64(number))
            : IPAddress(v4: 0x0900_0000 | bits & 0x3FF_FFFF)
    }

    private static let unusual = addresses.filter { Oddity(of: $0) != nil }

    private static func unlimited() -> ProviderModel {
        var settings = ModelSettings()
        (settings.singleQuota, settings.batchQuota) = (nil, nil)
        return ProviderModel(settings)
    }

    private static func response(
        of model: inout ProviderModel, to addresses: [IPAddress], from endpoint: Call.Endpoint
    ) -> ModelResponse {
        switch endpoint {
        case .single: model.get("\(addresses[0])")
        case .batch: model.post(addresses.map(\.description))
        }
    }

    /// Returns the answers as the daemon decodes them.
    private static func answers(
        of model: inout ProviderModel, to addresses: [IPAddress], from endpoint: Call.Endpoint
    ) throws -> [IPAddress: ElementAnswer] {
        let response = response(of: &model, to: addresses, from: endpoint)
        let call = Call(id: Call.ID(number: 1), endpoint: endpoint, addresses: addresses)
        let raw = RawReply(status: response.status, body: response.body, sentAt: after(0))
        return try ReplyDecoder(try Provider()).reply(to: call, from: raw).answers
    }

    @Test func `one record in ten is unusual, and every oddity occurs`() {
        let oddities = Self.addresses.compactMap { Oddity(of: $0) }
        #expect((400...600).contains(oddities.count), "\(oddities.count) of 5000")
        for oddity in Oddity.allCases { #expect(oddities.count { $0 == oddity } >= 20, "\(oddity)") }
    }

    @Test(arguments: [
        "1.1.1.1", "1.0.0.1", "8.8.8.8", "8.8.4.4", "9.9.9.9", "149.112.112.112", "208.67.222.222", "208.67.220.220",
        "2606:4700:4700::1111", "2606:4700:4700::1001", "2001:4860:4860::8888", "2620:fe::fe",
    ])
    func `the addresses in the documents have ordinary records, spelled plainly`(address: String) throws {
        var model = Self.unlimited()
        #expect(Oddity(of: try IPAddress(address)) == nil)
        #expect(!model.get(address).text.contains(#"\"#) && !model.post([address]).text.contains(#"\"#))
    }

    @Test func `the daemon can use every record, whatever its spelling`() throws {
        var model = Self.unlimited()
        for address in Self.addresses {
            let batch = try Self.answers(of: &model, to: [address], from: .batch)[address]
            guard case .answered(.record(let record)) = batch else {
                Issue.record("\(address): \(batch.map { "\($0)" } ?? "no answer")")
                continue
            }
            #expect(record.text(of: .country) != nil && record.org == "ip-api-stand-in (made-up record)")
            let single = try Self.answers(of: &model, to: [address], from: .single)[address]
            #expect(single == batch, "\(address) differs between the endpoints")
        }
    }

    @Test func `a batch of unusual records has an answer for each`() throws {
        var model = Self.unlimited()
        let batch = Array(Self.unusual.prefix(100))
        let answers = try Self.answers(of: &model, to: batch, from: .batch)
        #expect(answers.count == 100)
        #expect(answers.values.allSatisfy { if case .answered(.record) = $0 { true } else { false } })
    }

    @Test(arguments: [Call.Endpoint.single, .batch])
    func `texts are spelled in UTF-8 and with escapes`(endpoint: Call.Endpoint) {
        var model = Self.unlimited()
        let texts = Self.unusual.map { Self.response(of: &model, to: [$0], from: endpoint).text }
        let escaped = Self.addresses.count { address in
            Self.response(of: &model, to: [address], from: endpoint).text.contains(#"\/"#)
        }
        #expect((400...700).contains(escaped), "\(escaped) of 5000")
        for sample in ["Łódź", #"\u0141\u00f3d\u017a"#, #"\ud842\udfb7"#, "𠮷", #"\""#, #"\\"#, #"\n"#] {
            #expect(texts.contains { $0.utf8.contains(sample.utf8) }, "\(sample)")
        }
    }

    @Test func `an unusual record also differs after a change`() throws {
        var model = Self.unlimited()
        for address in Self.unusual.prefix(200) {
            let before = try Self.answers(of: &model, to: [address], from: .batch)
            #expect(try Self.answers(of: &model, to: [address], from: .batch) == before)
            model.change(address)
            #expect(try Self.answers(of: &model, to: [address], from: .batch) != before, "\(address)")
        }
    }

    @Test func `fields are empty, null, left out and spelled as strings`() throws {
        var model = Self.unlimited()
        func text(_ oddity: Oddity) throws -> String {
            let address = try #require(Self.unusual.first { Oddity(of: $0) == oddity })
            return model.post(["\(address)"]).text
        }
        #expect(try text(.emptyFields).contains(#""city":"""#))
        #expect(try text(.nullFields).contains(#""city":null"#))
        #expect(!(try text(.missingFields).contains(#""city""#)))
        #expect(try text(.numbersAsStrings).contains(#""lat":""#))
        #expect(!(try text(.extremeNumbers).contains(#""lat":""#)))
    }
}
