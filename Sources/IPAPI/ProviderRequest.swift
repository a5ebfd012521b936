package import RecordKeeping

/// A call as it goes over HTTP: what to send, before anything is sent.
///
/// Always asks for all fields, `query` among them, since replies are matched by it.
package struct ProviderRequest: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
    }

    /// The sum of the bits of all fields (ip-api.com, docs/api:json, "Returned data").
    package static let allFields = 66_846_719

    package let method: Method
    /// Begins with `/`.
    package let path: String
    /// Without the `?`. Holds the key, where there is one: not for logs.
    package let query: String
    /// A JSON array of addresses for `POST`; nil for `GET`.
    package let body: [UInt8]?

    /// - Parameter call: of one address for `.single`; of at most `Limits.addressesPerBatch` for `.batch`.
    package init(_ call: Call, to provider: Provider) {
        // RecordKeeping's Call promises both; a call that breaks them would spend quota on a certain refusal.
        precondition(call.endpoint == .batch || call.addresses.count == 1, "a single call is about one address")
        precondition(call.addresses.count <= Limits.addressesPerBatch, "the provider answers 422 to so many")
        let key = provider.key.map { "&key=\($0.queryValue)" } ?? ""
        query = "fields=\(Self.allFields)&lang=\(provider.language.rawValue)\(key)"
        switch call.endpoint {
        case .single:
            method = .get
            path = "/json/\(call.addresses[0])"
            body = nil
        case .batch:
            method = .post
            path = "/batch"
            // An address prints in digits, dots and colons, of which JSON escapes none.
            body = Array("[\(call.addresses.map { "\"\($0)\"" }.joined(separator: ","))]".utf8)
        }
    }
}
