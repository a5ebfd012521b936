package import JSON
package import RecordKeeping

extension JSONWriter {
    /// Writes a changed field as an object, without the values that are nil. The databases and the control interface
    /// have the same form.
    package mutating func write(_ change: FieldChange) {
        object {
            $0.member("field", change.field)
            $0.member("new", change.new)
            $0.member("old", change.old)
        }
    }
}
