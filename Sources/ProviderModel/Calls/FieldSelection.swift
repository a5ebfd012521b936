/// The fields that a request selects: the `fields` parameter (ip-api.com, docs/api:json, "Returned data").
struct FieldSelection: Hashable, Sendable {
    private let bits: Int

    /// The selection without a `fields` parameter.
    static let standard = FieldSelection(bits: 61_439)

    private init(bits: Int) {
        self.bits = bits
    }

    /// Parses a sum of bits or a comma-separated list of names. Unknown names are ignored; the provider ignores them,
    /// too.
    init(_ text: String) {
        if let number = Int(text) {
            self.init(bits: number)
        } else {
            self.init(bits: text.split(separator: ",").reduce(0) { $0 | (Self.bits[String($1)] ?? 0) })
        }
    }

    /// Whether all documented fields are selected.
    var isComplete: Bool { bits & Self.allBits == Self.allBits }

    func contains(_ field: String) -> Bool {
        Self.bits[field].map { bits & $0 != 0 } ?? false
    }

    private static let allBits = bits.values.reduce(0, |)

    /// The bit of each field, from the documentation's table.
    private static let bits: [String: Int] = [
        "country": 1, "countryCode": 2, "region": 4, "regionName": 8, "city": 16, "zip": 32, "lat": 64, "lon": 128,
        "timezone": 256, "isp": 512, "org": 1_024, "as": 2_048, "reverse": 4_096, "query": 8_192, "status": 16_384,
        "message": 32_768, "mobile": 65_536, "proxy": 131_072, "district": 524_288, "continent": 1_048_576,
        "continentCode": 2_097_152, "asname": 4_194_304, "currency": 8_388_608, "hosting": 16_777_216,
        "offset": 33_554_432,
    ]
}
