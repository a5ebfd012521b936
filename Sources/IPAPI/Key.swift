/// A paying customer's key: a secret that prints as dots.
struct Key: Hashable, Sendable {
    /// The key itself, for the request's query and for nothing else.
    let secret: String

    /// The longest key that is believed; those of ip-api.com have 15 characters.
    private static let longestBytes = 256

    /// The key in a file's text; nil where there is none or nothing but white space.
    static func reading(_ text: String?) throws(ProviderError) -> Key? {
        guard let text else { return nil }
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: isInk), let last = bytes.lastIndex(where: isInk) else { return nil }
        let secret = bytes[first...last]
        guard secret.count <= longestBytes else {
            throw .key("it has \(secret.count) bytes, and a key has at most \(longestBytes); is this the right file?")
        }
        guard secret.allSatisfy({ isInk($0) && $0 < 0x7F }) else {
            throw .key("it holds white space or characters beyond ASCII; the file has the key on its one line")
        }
        return Key(secret: String(decoding: secret, as: UTF8.self))
    }

    private static func isInk(_ byte: UInt8) -> Bool { byte > 0x20 }

    /// The key as the value of a query parameter: all but RFC 3986's unreserved characters are percent-encoded.
    var queryValue: String {
        var text = ""
        for byte in secret.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.properties.isAlphabetic || (0x30...0x39).contains(byte) || "-._~".unicodeScalars.contains(scalar)
            {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }

    /// A text without the key in it, plain or percent-encoded: a provider may quote what it was asked.
    func redacted(from text: String) -> String {
        [secret, queryValue].reduce(text) {
            $0.split(separator: $1, omittingEmptySubsequences: false).joined(separator: "•••")
        }
    }
}

extension Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "•••" }
    var debugDescription: String { "•••" }
    /// Without children, so that dump() and a test's printed expectation do not show the secret either.
    var customMirror: Mirror { Mirror(self, children: []) }
}
