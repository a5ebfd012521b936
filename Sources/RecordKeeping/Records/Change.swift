/// How one field of an address's record differs from the record before it.
package struct FieldChange: Hashable, Sendable {
    /// The field's name on the wire, as `Record.Field` spells it.
    package let field: String
    package let old: String?
    package let new: String?

    package init(field: String, old: String?, new: String?) {
        self.field = field
        self.old = old
        self.new = new
    }
}

extension Record {
    /// What is different in `newer`, field by field, in the interface's order.
    ///
    /// `asn` is told although it follows from `as`: a filter on it is what people have.
    package func changes(to newer: Record) -> [FieldChange] {
        guard self != newer else { return [] }
        return Field.allCases.compactMap { field in
            let (old, new) = (text(of: field), newer.text(of: field))
            return old == new ? nil : FieldChange(field: field.rawValue, old: old, new: new)
        }
    }
}
