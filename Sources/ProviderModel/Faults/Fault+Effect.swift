import JSON
import RecordKeeping

extension ModelResponse {
    static func json(_ status: Int, _ body: [UInt8]) -> ModelResponse {
        ModelResponse(
            status: status, headers: [.init(name: "Content-Type", value: "application/json; charset=utf-8")],
            body: body)
    }

    /// A failure of the whole request: `status` and `message`, without `query`.
    static func failure(_ status: Int, _ message: String) -> ModelResponse {
        var writer = JSONWriter()
        ModelElement([("status", .text("fail")), ("message", .text(message))]).write(to: &writer)
        return json(status, writer.bytes)
    }

    static func plain(_ status: Int, _ text: String) -> ModelResponse {
        ModelResponse(
            status: status, headers: [.init(name: "Content-Type", value: "text/plain; charset=utf-8")],
            body: Array(text.utf8))
    }

    static func page(_ status: Int, _ text: String) -> ModelResponse {
        ModelResponse(
            status: status, headers: [.init(name: "Content-Type", value: "text/html")],
            body: Array("<!DOCTYPE html>\n<html><head><title>\(text)</title></head><body>\(text)</body></html>\n".utf8))
    }

    /// Returns the response that replaces the provider's response under a fault; nil if the fault does not replace it.
    static func replacement(for fault: Fault) -> ModelResponse? {
        switch fault {
        case .status429: ModelResponse(status: 429)
        case .status5xx(let code): page(code, "\(code) nginx")
        case .unavailable(let time):
            ModelResponse(status: 503, headers: [.init(name: "Retry-After", value: "\(time.components.seconds)")])
        case .forbidden:
            failure(403, "SSL unavailable for this endpoint, order a key at https://members.ip-api.com/")
        case .redirect:
            ModelResponse(status: 302, headers: [.init(name: "Location", value: "http://portal.example/login")])
        case .html: page(200, "Welcome to the hotel")
        case .notJSON: plain(200, "this is not JSON")
        case .emptyBody: ModelResponse(status: 200)
        default: nil
        }
    }
}

extension Fault {
    /// Returns the delivery of a response under the fault; nil if the fault does not affect the delivery.
    func delivery(of response: ModelResponse) -> ModelResponse.Delivery? {
        switch self {
        case .hang: .never
        case .reset: .reset
        case .truncated: .cutShort(bytes: response.body.count / 2)
        case .slow(let time): .after(time)
        case .drip(let time): .dripping(every: time)
        case .endlessBody: .endless
        default: nil
        }
    }

    /// Applies the fault to the elements of a reply. Does nothing for other kinds of faults.
    func apply(to elements: inout [ModelElement]) {
        switch self {
        case .wrongOrder: elements.reverse()
        case .missingElement: elements = Array(elements.dropFirst())
        case .missingElements(let count): elements = Array(elements.dropFirst(count))
        case .extraElement: elements.insert(Self.unrequestedElement, at: 0)
        case .duplicateElement: elements.first.map { elements.insert($0, at: 0) }
        case .numbersAsStrings: elements = elements.map { $0.withNumbersAsStrings() }
        case .nullFields: elements = elements.map { $0.withNullFields() }
        default: break
        }
    }

    /// An element for an address that no test requests, from a range for documentation (RFC 5737).
    private static let unrequestedElement = ModelElement([
        ("status", .text("success")), ("country", .text("Nowhere")), ("query", .text("192.0.2.254")),
    ])
}
