import Fleet
import PostgreSQL

/// A row of a result, whose columns are read by name.
struct FleetResultRow {
    let columns: [String]
    let values: [SQLValue]

    func integer(_ column: String) throws(FleetStoreError) -> Int64 {
        guard let number = try optionalInteger(column) else { throw Self.unexpected(column) }
        return number
    }

    func optionalInteger(_ column: String) throws(FleetStoreError) -> Int64? {
        switch try value(column) {
        case .null: nil
        case .integer(let number): number
        case .bool, .text, .bytes: throw Self.unexpected(column)
        }
    }

    /// Reads a number with which the protocol calculates. Refuses numbers that no fleet reaches, such as those of a
    /// damaged row, because the calculations would overflow.
    func counter(_ column: String) throws(FleetStoreError) -> Int64 {
        guard let number = try optionalCounter(column) else { throw Self.unexpected(column) }
        return number
    }

    func optionalCounter(_ column: String) throws(FleetStoreError) -> Int64? {
        guard let number = try optionalInteger(column) else { return nil }
        guard (0..<1 << 62).contains(number) else {
            throw .unexpectedReply(reason: "column \"\(column)\": \(number) is out of range")
        }
        return number
    }

    func text(_ column: String) throws(FleetStoreError) -> String {
        guard let text = try optionalText(column) else { throw Self.unexpected(column) }
        return text
    }

    func optionalText(_ column: String) throws(FleetStoreError) -> String? {
        switch try value(column) {
        case .null: nil
        case .text(let text): text
        case .bool, .integer, .bytes: throw Self.unexpected(column)
        }
    }

    func bool(_ column: String) throws(FleetStoreError) -> Bool {
        guard case .bool(let value) = try value(column) else { throw Self.unexpected(column) }
        return value
    }

    func bool(at index: Int) throws(FleetStoreError) -> Bool {
        guard values.indices.contains(index), case .bool(let value) = values[index] else {
            throw .unexpectedReply(reason: "column \(index + 1): expected a bool")
        }
        return value
    }

    func bytes(_ column: String) throws(FleetStoreError) -> [UInt8] {
        guard case .bytes(let bytes) = try value(column) else { throw Self.unexpected(column) }
        return bytes
    }

    func id(_ column: String) throws(FleetStoreError) -> UniqueID {
        guard let id = try optionalID(column) else { throw Self.unexpected(column) }
        return id
    }

    func optionalID(_ column: String) throws(FleetStoreError) -> UniqueID? {
        guard let text = try optionalText(column) else { return nil }
        guard let id = UniqueID(uuid: text) else { throw Self.unexpected(column) }
        return id
    }

    private func value(_ column: String) throws(FleetStoreError) -> SQLValue {
        guard let index = columns.firstIndex(of: column), values.indices.contains(index) else {
            throw .unexpectedReply(reason: "missing column \"\(column)\"")
        }
        return values[index]
    }

    private static func unexpected(_ column: String) -> FleetStoreError {
        .unexpectedReply(reason: "column \"\(column)\": unexpected NULL or type")
    }
}
