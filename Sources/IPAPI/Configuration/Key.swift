/// The API key of a paying customer: a secret that is printed as dots.
struct Key: Hashable, Sendable {
    /// The key itself, to be used only in the query of a request.
    let secret: String

    /// Maximum length of a key in bytes. Keys for ip-api.com are 15 characters long.
    private static let maxBytes = 256

    /// Reads the key from the text of its file. Returns nil if the text is nil or blank.
    static func reading(_ text: String?) throws(ProviderError) -> Key? {
        guard let text else { return nil }
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: isVisible), let last = bytes.lastIndex(where: isVisible) else {
            return nil
        }
        let secret = bytes[first...last]
        guard secret.count <= maxBytes else {
            throw ProviderError(
                description: "invalid key: it has \(secret.count) bytes, more than \(maxBytes); "
                    + "check that this is the right file")
        }
        guard secret.allSatisfy({ isVisible($0) && $0 < 0x7F }) else {
            throw ProviderError(
                description: "invalid key: it contains white space or non-ASCII characters; "
                    + "the file must contain only the key")
        }
        return Key(secret: String(decoding: secret, as: UTF8.self))
    }

    private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 }

    /// The key as the value of a query parameter: all but RFC 3986's unreserved characters are percent-encoded.
    var queryValue: String {
        var text = ""
        for byte in secret.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.properties.isAlphabetic || (0x30...0x39).contains(byte) || "-._~".unicodeScalars.contains(scalar)
            {
                text.unicodeScalars.append(scalar)
            } else {
                // The code of a visible character has two hexadecimal digits.
                text += "%" + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    /// Returns the text without the key in plain or percent-encoded form. A provider may quote the request, including
    /// the key.
    func redacted(from text: String) -> String {
        [secret, queryValue].reduce(text) {
            $0.split(separator: $1, omittingEmptySubsequences: false).joined(separator: "•••")
        }
    }
}

extension Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "•••" }
    var debugDescription: String { "•••" }
    /// A mirror without children, so that `dump()` and a failed expectation of a test do not print the secret either.
    var customMirror: Mirror { Mirror(self, children: []) }
}
