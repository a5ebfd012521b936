import JSON

/// Finds members of an object in JSON without decoding the rest.
enum JSONMember {
    private struct Missing: Error {}

    /// Returns the bytes of a member's value.
    ///
    /// - Throws: an error if the text is not an object in JSON, or has no such member.
    static func value(of member: String, in object: ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        let bytes = Array(object)
        var scanner = JSONScanner(bytes.span.bytes)
        try scanner.beginObject()
        while let name = try scanner.nextName() {
            let start = try scanner.startOfValue()
            try scanner.skip()
            if scanner.string(of: name) == member { return bytes[start..<scanner.offset] }
        }
        throw Missing()
    }

    /// Returns the bytes of the first element of a member that is an array.
    static func firstElement(of member: String, in object: ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        let bytes = Array(try value(of: member, in: object))
        var scanner = JSONScanner(bytes.span.bytes)
        try scanner.beginArray()
        guard try scanner.nextElement() else { throw Missing() }
        let start = try scanner.startOfValue()
        try scanner.skip()
        return bytes[start..<scanner.offset]
    }
}
