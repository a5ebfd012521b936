import Glibc

/// The parameters of a statement in the form of PQsendQueryParams.
struct WireParameters {
    private var types: [UInt32] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    /// The places of the values in `bytes`; nil for NULL.
    private var offsets: [Int?] = []
    private var bytes: [UInt8] = []

    init(_ values: [SQLValue]) {
        for value in values {
            switch value {
            case .null: append(nil, .none, .text)
            case .bool(let value): append([value ? 1 : 0], .bool, .binary)
            case .integer(let value): append(withUnsafeBytes(of: value.bigEndian) { Array($0) }, .int8, .binary)
            // A text ends with a zero byte. The server infers its type, so that it may be that of any column.
            case .text(let text): append(Array(text.utf8) + [0], .none, .text)
            case .bytes(let value): append(value, .bytea, .binary)
            }
        }
    }

    private mutating func append(_ value: [UInt8]?, _ type: SQLType?, _ format: SQLValue.Format) {
        types.append(type?.rawValue ?? 0)
        lengths.append(Int32(clamping: value?.count ?? 0))
        formats.append(format.rawValue)
        offsets.append(value == nil ? nil : bytes.count)
        bytes += value ?? []
    }

    /// Passes the lists and their length to a closure. They are valid until it returns.
    func withPointers<Result>(
        _ body: (
            _ types: [UInt32], _ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32], Int32
        ) -> Result
    ) -> Result {
        // One more byte, so that an empty value at the end has a place.
        (bytes + [0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                let values = offsets.map { offset in offset.flatMap { characters.baseAddress?.advanced(by: $0) } }
                return body(types, values, lengths, formats, Int32(types.count))
            }
        }
    }
}
