import FoundationEssentials

/// Any JSON value, for data without a type of its own: the parameters of an error, or a reply that is printed as
/// received.
package enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([Value])
    case object([String: Value])

    /// The member of an object; nil if the value is not an object, or if the member is missing or null.
    package subscript(name: String) -> Value? {
        guard case .object(let members) = self, let member = members[name], member != .null else { return nil }
        return member
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var int: Int64? {
        if case .int(let number) = self { number } else { nil }
    }
}

extension Value: Codable {
    /// Maximum levels of nesting. Messages of the interface are nested less than half as deeply, and decoding time
    /// grows with the cube of the depth.
    private static let maxLevels = 16

    package init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.maxLevels else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "more than \(Self.maxLevels) nested levels"))
        }
        let container = try decoder.singleValueContainer()
        // Each attempt fails if the value has another type. The error of the last attempt is thrown.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode([Value].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: Value].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
