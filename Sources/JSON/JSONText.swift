/// The place of a string in a JSON text. `JSONScanner.string(of:)` decodes it.
package struct JSONText: Hashable, Sendable {
    /// The bytes between the quotation marks, escapes included.
    package let range: Range<Int>
    package let hasEscapes: Bool
    /// Whether the string can be decoded: it has no control character (RFC 8259, section 7), no invalid escape and no
    /// unpaired surrogate (section 8.2). The rest of the text can be read even if this string is invalid.
    package let isValid: Bool
}
