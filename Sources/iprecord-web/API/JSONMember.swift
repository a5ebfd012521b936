import JSON

/// Finds members of an object in the daemon's JSON without decoding the rest.
enum JSONMember {
    /// Returns the bytes of a member's value; nil if the member is missing or null.
    ///
    /// - Throws: `DaemonError.invalidReply` if the text is not an object in JSON.
    static func value(of member: String, in object: ArraySlice<UInt8>) throws(DaemonError) -> ArraySlice<UInt8>? {
        let bytes = Array(object)
        do {
            var scanner = JSONScanner(bytes.span.bytes)
            try scanner.beginObject()
            while let name = try scanner.nextName() {
                let start = try scanner.startOfValue()
                try scanner.skip()
                guard scanner.string(of: name) == member else { continue }
                let value = bytes[start..<scanner.offset]
                return value.elementsEqual("null".utf8) ? nil : value
            }
            return nil
        } catch {
            throw .invalidReply
        }
    }

    /// Returns the bytes of the first element of a member that is an array; nil if there is none.
    ///
    /// - Throws: `DaemonError.invalidReply` if the text is not an object in JSON, or the member is not an array.
    static func firstElement(
        of member: String, in object: ArraySlice<UInt8>
    ) throws(DaemonError) -> ArraySlice<UInt8>? {
        guard let bytes = try value(of: member, in: object).map({ Array($0) }) else { return nil }
        do {
            var scanner = JSONScanner(bytes.span.bytes)
            try scanner.beginArray()
            guard try scanner.nextElement() else { return nil }
            let start = try scanner.startOfValue()
            try scanner.skip()
            return bytes[start..<scanner.offset]
        } catch {
            throw .invalidReply
        }
    }
}
