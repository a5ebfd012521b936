/// An HTTP request to the model of the provider, as sent over the network.
package struct ModelRequest: Hashable, Sendable {
    package var method: String
    /// The percent-encoded path, which begins with `/`, without the query.
    package var path: String
    /// The percent-encoded query without the `?`; nil or empty if there is none.
    package var query: String?
    package var body: [UInt8]

    package init(method: String, path: String, query: String? = nil, body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
    }

    /// The decoded parameters of the query. If a name occurs more than once, its first value counts.
    package var parameters: [String: String] {
        var parameters: [String: String] = [:]
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(parts[0])
            if parameters[name] == nil { parameters[name] = parts.count == 2 ? Self.decoded(parts[1]) : "" }
        }
        return parameters
    }

    /// Returns the text with its percent-escapes decoded. Invalid escapes are left unchanged.
    static func decoded(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                decoded.append(value)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
