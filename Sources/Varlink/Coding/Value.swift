/// Any JSON value: data without a type of its own, such as the parameters of an error or a reply that is printed as
/// received, and the form that other types take between their properties and JSON text.
package enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    /// A number that is not an integer of 64 bits. It is finite.
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

/// A value can be a property of a type that ``Wire`` encodes and decodes. Other coders are not supported.
extension Value: Codable {
    package init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? ValueDecoder else {
            throw DecodingError.typeMismatch(
                Value.self, .init(codingPath: decoder.codingPath, debugDescription: "not decoded by Wire"))
        }
        self = decoder.value
    }

    package func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? ValueEncoder else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "not encoded by Wire"))
        }
        encoder.result = .value(self)
    }
}
