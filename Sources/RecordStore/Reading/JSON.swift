import Foundation
import RecordKeeping

/// JSON in text columns: arrays of strings or of changed fields.
enum JSON {
    struct Field: Codable {
        var field: String
        var old: String?
        var new: String?

        init(_ change: FieldChange) {
            field = change.field
            old = change.old
            new = change.new
        }

        var change: FieldChange { FieldChange(field: field, old: old, new: new) }
    }

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_: Value.Type, from text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
