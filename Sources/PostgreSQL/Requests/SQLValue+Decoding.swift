extension SQLValue {
    /// A value that does not have the form of its type.
    struct Malformed: Error, Hashable {
        let reason: String
    }

    /// Decodes a value of the server in text format, in which the server sends the results of PQsendQuery.
    ///
    /// - Parameters:
    ///   - bytes: the value as sent; nil for NULL.
    ///   - type: the object identifier of the type.
    init(_ bytes: UnsafeRawBufferPointer?, type: UInt32) throws(Malformed) {
        guard let bytes else {
            self = .null
            return
        }
        switch SQLType(rawValue: type) {
        case .bool:
            guard bytes.count == 1, bytes[0] == UInt8(ascii: "t") || bytes[0] == UInt8(ascii: "f") else {
                throw Malformed(reason: "invalid bool: expected t or f")
            }
            self = .bool(bytes[0] == UInt8(ascii: "t"))
        case .int2, .int4, .int8, .oid:
            guard let number = Int64(String(decoding: bytes, as: UTF8.self)) else {
                throw Malformed(reason: "invalid integer")
            }
            self = .integer(number)
        case .bytea:
            self = .bytes(try Self.decodingHexadecimal(bytes))
        case nil:
            self = .text(try Self.decodingString(bytes))
        }
    }

    private static func decodingString(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> String {
        // A database with the encoding SQL_ASCII does not check text.
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Malformed(reason: "not valid UTF-8") }
        return text
    }

    /// Decodes a bytea in the format `hex`, the default since PostgreSQL 9.0 ("Binary Data Types").
    private static func decodingHexadecimal(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> [UInt8] {
        let malformed = Malformed(reason: "a bytea is not in hexadecimal format")
        guard bytes.count % 2 == 0, bytes.starts(with: "\\x".utf8) else { throw malformed }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count / 2 - 1)
        for index in stride(from: 2, to: bytes.count, by: 2) {
            guard let high = digit(bytes[index]), let low = digit(bytes[index + 1]) else { throw malformed }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
