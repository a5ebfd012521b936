import ProviderModel
import RecordKeeping
import Testing

@Suite struct MadeUpRecordTests {
    private func unlimited() -> ProviderModel {
        var settings = ModelSettings()
        settings.singleQuota = nil
        settings.batchQuota = nil
        return ProviderModel(settings)
    }

    /// The addresses whose records are not unusual.
    private func ordinary(_ addresses: [String]) throws -> [String] {
        try addresses.filter { Oddity(of: try IPAddress($0)) == nil }
    }

    @Test func `an address gets the same record until it is changed`() throws {
        var model = unlimited()
        let (one, other) = (try model.get("1.1.1.1").element(), try model.get("8.8.8.8").element())
        #expect(try model.get("1.1.1.1", at: after(1e6)).element() == one)
        #expect(try unlimited().answering("1.1.1.1") == one)
        model.change(try IPAddress("1.1.1.1"))
        let changed = try model.get("1.1.1.1").element()
        #expect(changed != one && changed.city != one.city)
        #expect(try model.get("8.8.8.8").element() == other)
        model.changeAll()
        #expect(try model.get("8.8.8.8").element() != other)
    }

    @Test func `an address has the same record in every notation`() throws {
        var model = unlimited()
        var (short, long) = (try model.get("2606:4700::1").element(), try model.get("2606:4700:0:0:0:0:0:1").element())
        #expect(long.query == "2606:4700:0:0:0:0:0:1")
        (short.query, long.query) = (nil, nil)
        #expect(short == long)
    }

    @Test func `ordinary records are complete, within bounds, and identify themselves as made up`() throws {
        var model = unlimited()
        for number in 0..<2_000 {
            let address = number % 4 == 0 ? "2a00:\(number)::\(number)" : "\(1 + number % 9).\(number % 251).3.4"
            guard Oddity(of: try IPAddress(address)) == nil else { continue }
            let reported = try model.get(address).element()
            #expect(reported.status == "success" && reported.query == address)
            #expect(reported.org == "ip-api-stand-in (made-up record)")
            #expect(reported.countryCode?.count == 2 && reported.city?.isEmpty == false)
            #expect(try abs(#require(reported.lat)) <= 90 && abs(#require(reported.lon)) <= 180)
            #expect(reported.timezone?.contains("/") == true)
            #expect(reported.as == "" || reported.as?.hasPrefix("AS6") == true)
            #expect((reported.as == "") == (reported.isp == ""))
        }
    }

    @Test func `with a larger variety, fewer addresses share a place or a network`() throws {
        var settings = ModelSettings()
        (settings.singleQuota, settings.batchQuota) = (nil, nil)
        func reported(variety: Int) throws -> (districts: Int, customers: Int) {
            settings.variety = variety
            var model = ProviderModel(settings)
            let reported = try (0..<16).flatMap { third in
                try model.post(try ordinary((1...100).map { "9.\($0).\(third * 16).1" })).elements()
            }
            return (Set(reported.map(\.district)).count, Set(reported.map(\.org)).count)
        }
        for variety in [1, 50] {
            let (districts, customers) = try reported(variety: variety)
            #expect(districts == variety && customers == variety)
        }
    }

    @Test func `each address can have its own postal code and reverse name`() throws {
        var settings = ModelSettings()
        settings.hasDistinctTexts = true
        var model = ProviderModel(settings)
        let reported = try model.post(try ordinary((1...90).map { "9.9.9.\($0)" })).elements()
        #expect(Set(reported.map(\.zip)).count == reported.count)
        #expect(Set(reported.map(\.reverse)).count == reported.count)
        #expect(reported.count > 50)
    }

    @Test func `neighbouring addresses share a network, and the model has many places`() throws {
        var model = unlimited()
        let neighbours = try model.post(try ordinary((1...50).map { "8.8.8.\($0)" })).elements()
        #expect(Set(neighbours.map(\.as)).count == 1 && Set(neighbours.map(\.city)).count == 1)
        #expect(Set(neighbours.map(\.lat)).count > 10)
        let spread = try model.post(try ordinary((1...100).map { "\($0 % 9 + 1).\($0).1.1" })).elements()
        #expect(Set(spread.map(\.city)).count > 20 && Set(spread.map(\.as)).count > 6)
        let everywhere = try (0..<60).flatMap { third in
            try model.post(try ordinary((1...100).map { "9.\($0).\(third * 4).1" })).elements()
        }
        #expect(Set(everywhere.map(\.city)).count == 34 && Set(everywhere.map(\.timezone)).count > 25)
        #expect(Set(everywhere.map(\.zip)).count > 200)
        #expect(spread.contains { $0.hosting == true } && spread.contains { $0.reverse == "" })
    }
}

extension ProviderModel {
    /// The first answer of a copy of the model for an address.
    func answering(_ address: String) throws -> Reported {
        var model = self
        return try model.get(address).element()
    }
}
