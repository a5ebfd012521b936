import JSON
import RecordKeeping

/// JSON in text columns, as in the local database: arrays of strings or of changed fields.
enum StateJSON {
    static func text(_ strings: [String]) -> String {
        text { writer in
            for string in strings { writer.value(string) }
        }
    }

    static func text(_ changes: [FieldChange]) -> String {
        text { writer in
            for change in changes {
                writer.object {
                    $0.member("field", change.field)
                    $0.member("new", change.new)
                    $0.member("old", change.old)
                }
            }
        }
    }

    private static func text(_ elements: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(capacity: 256)
        writer.array(elements)
        return writer.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}
