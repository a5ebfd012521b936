/// The reason why bytes of the fleet's database are not a body of a row, a proposal or a reply, or why a body would be
/// too large to be written.
package enum BodyError: Error, Hashable, Sendable {
    /// The version of the encoding is unknown, because a newer version of the daemon has written the body.
    case unknownVersion(Int)
    /// A tag or a code has no meaning in this version of the encoding.
    case unknownCode(UInt64, of: String)
    /// The body ends before its last value.
    case truncated
    /// There are bytes after the last value.
    case trailingBytes(Int)
    /// A text is not valid UTF-8.
    case invalidText
    /// A variable-length integer has more than 64 bits, or more bytes than it needs.
    case invalidInteger
    /// A value is outside the range that `BodyLimits` or its type allows.
    case outOfRange(String)
    /// A reference names a value that does not precede it in the body.
    case unknownReference(UInt64, to: String)
    /// A text is not a host name in lower case.
    case invalidName(String)
    /// The body has more bytes or writes than a body may have.
    case tooLarge(Int, limit: Int, of: String)
}

extension BodyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownVersion(let version):
            "unknown version \(version) of the encoding; this version of iprecordd reads \(BodyLimits.version)"
        case .unknownCode(let code, let kind): "unknown \(kind) \(code)"
        case .truncated: "the data ends too early"
        case .trailingBytes(let count): "\(count) bytes after the end of the data"
        case .invalidText: "not valid UTF-8"
        case .invalidInteger: "invalid variable-length integer"
        case .outOfRange(let kind): "\(kind) out of range"
        case .unknownReference(let index, let kind): "reference to an unknown \(kind) (\(index))"
        case .invalidName(let name): "\"\(name)\" is not a host name"
        case .tooLarge(let count, let limit, let kind): "\(count) \(kind); at most \(limit) are allowed"
        }
    }
}
