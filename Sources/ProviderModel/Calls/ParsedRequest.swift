import FoundationEssentials
import RecordKeeping

/// The content of a request: the endpoint and the queries, valid or not.
struct ParsedRequest {
    struct Query {
        let text: String
        let fields: FieldSelection

        /// The queried address; nil if the text is not an address. The provider also accepts host names, but the model
        /// does not.
        var address: IPAddress? { try? IPAddress(text) }
    }

    /// The response to a request that is not a call.
    struct Refusal: Error {
        let status: Int
        let text: String
    }

    let endpoint: Call.Endpoint
    let queries: [Query]
    let key: String?

    init(_ request: ModelRequest) throws(Refusal) {
        let parameters = request.parameters
        let fields = parameters["fields"].map(FieldSelection.init) ?? .standard
        key = parameters["key"]
        if request.path == "/batch" {
            guard request.method == "POST" else { throw Refusal(status: 405, text: "Method Not Allowed") }
            endpoint = .batch
            queries = try Self.queries(in: request.body, fields: fields)
        } else if request.path.hasPrefix("/json/") || request.path == "/json" {
            guard request.method == "GET" else { throw Refusal(status: 405, text: "Method Not Allowed") }
            endpoint = .single
            queries = [Query(text: ModelRequest.decoded(request.path.dropFirst("/json/".count)), fields: fields)]
        } else {
            throw Refusal(status: 404, text: "Not Found")
        }
    }

    /// Parses an array of addresses, or of objects with `query` and optionally `fields`.
    private static func queries(in body: [UInt8], fields: FieldSelection) throws(Refusal) -> [Query] {
        struct Item: Decodable {
            struct Object: Decodable {
                var query: String
                var fields: String?
            }
            let object: Object

            init(from decoder: any Decoder) throws {
                // If the item is not a string, decoding the object reports the error.
                let text = try? decoder.singleValueContainer().decode(String.self)
                object = try text.map { Object(query: $0) } ?? Object(from: decoder)
            }
        }
        do {
            let items = try JSONDecoder().decode([Item].self, from: Data(body))
            return items.map {
                Query(text: $0.object.query, fields: $0.object.fields.map(FieldSelection.init) ?? fields)
            }
        } catch {
            throw Refusal(status: 422, text: "Unprocessable Entity")
        }
    }
}
