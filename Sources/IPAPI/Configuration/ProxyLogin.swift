import FoundationEssentials

/// The user name and password for a proxy: a secret that is printed as dots.
struct ProxyLogin: Hashable, Sendable {
    let user: String
    let password: String

    /// Parses `user[:password]` of a URL. Returns nil if the text is empty.
    ///
    /// Errors quote nothing of the text.
    init?(_ text: Substring) throws(ProviderError) {
        guard !text.isEmpty else { return nil }
        guard !text.contains(where: { "/?#\\".contains($0) }) else { throw .unencodedLogin }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = Self.decoded(parts[0]), let password = Self.decoded(parts.count == 2 ? parts[1] : ""),
            // The colon ends the user name in the header (RFC 7617 §2).
            !user.contains(":")
        else { throw .unencodedLogin }
        (self.user, self.password) = (user, password)
    }

    /// Decodes the percent-encoded characters of a text (RFC 3986 §2.1). Returns nil if a code is invalid, or if the
    /// result is not valid UTF-8 or contains control characters, which the header must not contain (RFC 7617 §2).
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    /// The credentials in the header `Proxy-Authorization` (RFC 7617 §2).
    var encoded: String { Data("\(user):\(password)".utf8).base64EncodedString() }

    /// Returns the text without the password, in plain or encoded form. A proxy may quote the request that it rejects.
    func redacted(from text: String) -> String {
        [encoded, password].filter { !$0.isEmpty }.reduce(text) {
            $0.split(separator: $1, omittingEmptySubsequences: false).joined(separator: "•••")
        }
    }
}

extension ProxyLogin: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "•••" }
    var debugDescription: String { "•••" }
    /// A mirror without children, so that `dump()` and a failed expectation of a test do not print the secret either.
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension ProviderError {
    fileprivate static let unencodedLogin = ProviderError(
        description: "invalid user name or password of the proxy: percent-encode characters such as : / ? # and @, "
            + "as in http://user:pass%2Fword@proxy.example:3128")
}
