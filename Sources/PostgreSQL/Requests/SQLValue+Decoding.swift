extension SQLValue {
    /// The formats of values in the protocol ("Message Formats", "RowDescription").
    enum Format: Int32 {
        case text = 0
        case binary = 1
    }

    /// A value that does not have the form of its type.
    struct Malformed: Error, Hashable {
        let reason: String
    }

    /// Decodes a value of the server.
    ///
    /// - Parameters:
    ///   - bytes: the value as sent; nil for NULL.
    ///   - type: the object identifier of the type.
    init(_ bytes: UnsafeRawBufferPointer?, type: UInt32, format: Format) throws(Malformed) {
        guard let bytes else {
            self = .null
            return
        }
        switch format {
        case .text: self = try Self.decodingText(bytes, type: SQLType(rawValue: type))
        case .binary: self = try Self.decodingBinary(bytes, type: type)
        }
    }

    private static func decodingText(_ bytes: UnsafeRawBufferPointer, type: SQLType?) throws(Malformed) -> SQLValue {
        switch type {
        case .bool:
            guard bytes.count == 1, bytes[0] == UInt8(ascii: "t") || bytes[0] == UInt8(ascii: "f") else {
                throw Malformed(reason: "a bool is neither t nor f")
            }
            return .bool(bytes[0] == UInt8(ascii: "t"))
        case .int2, .int4, .int8, .oid:
            guard let number = Int64(String(decoding: bytes, as: UTF8.self)) else {
                throw Malformed(reason: "an integer is not a number")
            }
            return .integer(number)
        case .bytea:
            return .bytes(try decodingHexadecimal(bytes))
        default:
            return .text(try decodingString(bytes))
        }
    }

    private static func decodingBinary(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(Malformed) -> SQLValue {
        switch SQLType(rawValue: type) {
        case .bool:
            guard bytes.count == 1 else { throw Malformed(reason: "a bool has \(bytes.count) bytes") }
            return .bool(bytes[0] != 0)
        case .int2: return .integer(Int64(try decodingInteger(bytes, Int16.self)))
        case .int4: return .integer(Int64(try decodingInteger(bytes, Int32.self)))
        case .int8: return .integer(try decodingInteger(bytes, Int64.self))
        case .oid: return .integer(Int64(try decodingInteger(bytes, UInt32.self)))
        case .bytea: return .bytes(Array(bytes))
        case .text, .varchar, .bpchar, .name, .json, .unknown: return .text(try decodingString(bytes))
        case nil: throw Malformed(reason: "no binary format is known for the type \(type); cast the column")
        }
    }

    /// Decodes an integer in network byte order.
    private static func decodingInteger<Number: FixedWidthInteger>(
        _ bytes: UnsafeRawBufferPointer, _ type: Number.Type
    ) throws(Malformed) -> Number {
        guard bytes.count == MemoryLayout<Number>.size else {
            throw Malformed(reason: "an integer of \(MemoryLayout<Number>.size) bytes has \(bytes.count)")
        }
        return Number(bigEndian: bytes.loadUnaligned(as: Number.self))
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
