import FoundationEssentials
import ProviderModel
import RecordKeeping

/// The time after this many seconds since the start of the test.
func after(_ seconds: Double) -> Instant {
    Instant(boot: BootTime(nanoseconds: 0), wall: WallTime(milliseconds: 0)).advanced(by: .seconds(seconds))
}

extension ProviderModel {
    mutating func get(
        _ address: String, query: String? = "fields=66846719", at now: Instant = after(0)
    ) -> ModelResponse {
        answer(ModelRequest(method: "GET", path: "/json/\(address)", query: query), at: now)
    }

    mutating func post(
        _ addresses: [String], query: String? = "fields=66846719", at now: Instant = after(0)
    ) -> ModelResponse {
        let body = "[\(addresses.map { "\"\($0)\"" }.joined(separator: ","))]"
        return answer(ModelRequest(method: "POST", path: "/batch", query: query, body: Array(body.utf8)), at: now)
    }
}

extension ModelResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of `X-Rl`.
    var remaining: Int? { header("X-Rl").flatMap { Int($0) } }

    /// The elements of a batch.
    func elements() throws -> [Reported] { try JSONDecoder().decode([Reported].self, from: Data(body)) }

    /// The single element of `/json`.
    func element() throws -> Reported { try JSONDecoder().decode(Reported.self, from: Data(body)) }
}

/// An element as decoded by a client.
struct Reported: Decodable, Hashable {
    var status: String?
    var message: String?
    var country: String?
    var countryCode: String?
    var city: String?
    var district: String?
    var zip: String?
    var lat: Double?
    var lon: Double?
    var timezone: String?
    var org: String?
    var `as`: String?
    var isp: String?
    var reverse: String?
    var hosting: Bool?
    var query: String?
}
