/// The difference of one field between two successive records of an address.
package struct FieldChange: Hashable, Sendable {
    /// The field's name on the wire: a raw value of `Record.Field`.
    package let field: String
    /// Text of the field in the older record; nil if the provider left it out.
    package let old: String?
    /// Text of the field in the newer record; nil if the provider left it out.
    package let new: String?

    package init(field: String, old: String?, new: String?) {
        self.field = field
        self.old = old
        self.new = new
    }
}

extension Record {
    /// Returns the differences between this record and a newer one, in the order of the interface.
    ///
    /// `asn` is included although it follows from `as`, because programs filter on it.
    package func changes(to newer: Record) -> [FieldChange] {
        guard self != newer else { return [] }
        return Field.allCases.compactMap { field in
            let (old, new) = (text(of: field), newer.text(of: field))
            return old == new ? nil : FieldChange(field: field.rawValue, old: old, new: new)
        }
    }
}
