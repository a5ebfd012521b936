package import RecordKeeping

/// The HTTP request for a call.
///
/// The request for a call always selects all fields, including `query`, which matches each element of a reply to its
/// address.
package struct ProviderRequest: Hashable, Sendable {
    /// The sum of the bits of all fields (ip-api.com, docs/api:json, "Returned data").
    package static let allFields = 66_846_719

    /// The path, which begins with `/`.
    package let path: String
    /// The query without the `?`. It contains the key, if there is one, and must not be logged.
    package let query: String
    /// A JSON array of addresses for `POST`; nil for `GET`.
    package let body: [UInt8]?

    package var method: String { body == nil ? "GET" : "POST" }

    /// Creates a request that the daemon never sends for a call, such as one without `fields`.
    package init(path: String, query: String, body: [UInt8]? = nil) {
        self.path = path
        self.query = query
        self.body = body
    }

    /// - Parameter call: a call with exactly one address for `.single`, or at most `Limits.addressesPerBatch` for
    ///   `.batch`.
    package init(_ call: Call, to provider: Provider) {
        // The core's calls satisfy both conditions. Any other call would spend quota and be refused.
        precondition(call.endpoint == .batch || call.addresses.count == 1, "a single call must have one address")
        precondition(call.addresses.count <= Limits.addressesPerBatch, "too many addresses for one batch")
        let key = provider.key.map { "&key=\($0.queryValue)" } ?? ""
        query = "fields=\(Self.allFields)&lang=\(provider.language.rawValue)\(key)"
        switch call.endpoint {
        case .single:
            path = "/json/\(call.addresses[0])"
            body = nil
        case .batch:
            path = "/batch"
            body = Self.array(of: call.addresses)
        }
    }

    /// Returns a JSON array of addresses. Addresses need no escaping: they consist of hexadecimal digits, dots and
    /// colons.
    private static func array(of addresses: [IPAddress]) -> [UInt8] {
        var array = [UInt8(ascii: "[")]
        array.reserveCapacity(2 + addresses.count * "\"255.255.255.255\",".utf8.count)
        for (index, address) in addresses.enumerated() {
            if index > 0 { array.append(UInt8(ascii: ",")) }
            array.append(UInt8(ascii: "\""))
            address.append(to: &array)
            array.append(UInt8(ascii: "\""))
        }
        array.append(UInt8(ascii: "]"))
        return array
    }
}
