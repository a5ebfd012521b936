import RecordKeeping

/// The description of a body that does not have the documented form, with an excerpt that shows its origin.
struct MalformedBody: CustomStringConvertible {
    enum Problem: Error, Hashable {
        case notUTF8
        case notJSON
        /// JSON, but not the documented array or object.
        case otherShape
    }

    let description: String

    init(_ body: [UInt8], expecting endpoint: Call.Endpoint, problem: Problem, from provider: Provider) {
        let expected = endpoint == .batch ? "array" : "object"
        // Only the beginning of the body is examined.
        let start = String(decoding: body.prefix(4_096), as: UTF8.self)
        let excerpt = UntrustedText(provider.withoutSecrets(start)).excerpt()
        let look: String
        switch (excerpt, problem) {
        case (nil, _):
            look = "an empty body"
        case (let excerpt?, _) where excerpt.hasPrefix("<"):
            look = "an HTML page, possibly from a captive portal: \(excerpt)"
        case (_, .notUTF8):
            look = "a body that is not valid UTF-8"
        case (let excerpt?, .otherShape):
            look = "JSON, but not the documented \(expected): \(excerpt)"
        case (let excerpt?, .notJSON) where "[{".contains(excerpt.first ?? " "):
            look = Self.isClosed(body) ? "invalid JSON: \(excerpt)" : "invalid JSON, possibly truncated"
        case (let excerpt?, .notJSON):
            look = "text that is not JSON: \(excerpt)"
        }
        description = "\(provider.name)\(provider.throughProxy) answered with \(look)"
    }

    /// Whether the last visible character of the body can end an array or object.
    private static func isClosed(_ body: [UInt8]) -> Bool {
        let last = body.last { !" \t\r\n".utf8.contains($0) }
        return last == UInt8(ascii: "]") || last == UInt8(ascii: "}")
    }
}
