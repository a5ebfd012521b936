/// A host name as in RFC 1123 §2.1, in lower case and without the final dot.
///
/// A name has one or more labels of letters, digits and hyphens, separated by dots. Internationalised names have their
/// ASCII form (A-labels, RFC 5890 §2.3.2.1), such as `xn--bcher-kva.example`.
package struct HostName: Hashable, Sendable, CustomStringConvertible {
    /// The reason why a string is not a valid name, as a clause in lower case.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        fileprivate init(_ description: String) {
            self.description = description
        }
    }

    /// The name in lower case, without the final dot.
    package let description: String

    /// Maximum length of a name in bytes, without the final dot: 255 bytes in a DNS message, which include the length
    /// of the first label and the root (RFC 1035 §2.3.4).
    package static let maxBytes = 253
    /// Maximum length of a label in bytes (RFC 1035 §2.3.4).
    private static let maxLabelBytes = 63

    /// Parses a name. Upper-case letters and a final dot are allowed.
    package init(_ text: some StringProtocol) throws(ParseError) {
        var characters = Array(text.utf8)
        if characters.last == UInt8(ascii: ".") { characters.removeLast() }
        guard !characters.isEmpty else { throw ParseError("the name is empty") }
        guard characters.count <= Self.maxBytes else {
            throw ParseError("a host name has at most \(Self.maxBytes) bytes; this one has \(characters.count)")
        }
        let labels = characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels { try Self.check(label) }
        guard let last = labels.last, !Self.isNumber(last) else {
            throw ParseError("the last label of a host name is not a number")
        }
        description = String(decoding: characters.map(Self.lowercase), as: UTF8.self)
    }

    private static func check(_ label: ArraySlice<UInt8>) throws(ParseError) {
        guard let first = label.first, let last = label.last else {
            throw ParseError("a label of the host name is empty")
        }
        guard label.count <= maxLabelBytes else {
            throw ParseError(
                "a label of a host name has at most \(maxLabelBytes) bytes; this one has a label of \(label.count)")
        }
        guard label.allSatisfy({ $0 < 0x80 }) else {
            throw ParseError("write an internationalised name in its ASCII form, such as xn--bcher-kva.example")
        }
        guard label.allSatisfy({ isLetterOrDigit($0) || $0 == hyphen }) else {
            throw ParseError("a host name can contain only letters, digits, hyphens and dots")
        }
        guard first != hyphen, last != hyphen else {
            throw ParseError("a label of a host name cannot begin or end with a hyphen")
        }
    }

    /// Whether a label is a decimal or hexadecimal number. A name that ends with one may be read as an IPv4 address by
    /// inet_aton(3), and so by getaddrinfo(3).
    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        guard label.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")], by: { lowercase($0) == $1 }) else {
            return label.allSatisfy(IPAddress.isDecimal)
        }
        return label.dropFirst(2).allSatisfy { IPAddress.hexadecimalValue($0) != nil }
    }

    private static let hyphen = UInt8(ascii: "-")

    private static func isLetterOrDigit(_ character: UInt8) -> Bool {
        IPAddress.isDecimal(character) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase(character))
    }

    private static func lowercase(_ character: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character) ? character | 0x20 : character
    }
}

extension HostName: Comparable {
    /// The order of the names as text.
    package static func < (one: HostName, other: HostName) -> Bool { one.description < other.description }
}
