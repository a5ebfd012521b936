import JSON
package import RecordKeeping

/// JSON in text columns: arrays of strings or of changed fields.
///
/// It does not use `JSONEncoder`, which is much slower: a commit may contain thousands of changes.
package enum JSONColumn {
    package static func text(_ strings: [String]) -> String {
        text { writer in
            for string in strings { writer.value(string) }
        }
    }

    package static func text(_ changes: [FieldChange]) -> String {
        text { writer in
            for change in changes { writer.write(change) }
        }
    }

    private static func text(_ elements: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(capacity: 256)
        writer.array(elements)
        return writer.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}
