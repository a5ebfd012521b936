/// The difference of one field between two successive records of an address.
///
/// Its encoded form is the one that the database stores as JSON.
package struct FieldChange: Codable, Hashable, Sendable {
    /// The field's name on the wire: a raw value of `Record.Field`.
    package let field: String
    /// The field's value in the older record, as text; nil if the provider omitted the field.
    package let old: String?
    /// The field's value in the newer record, as text; nil if the provider omitted the field.
    package let new: String?

    package init(field: String, old: String?, new: String?) {
        self.field = field
        self.old = old
        self.new = new
    }
}

extension Record {
    /// Returns the differences between this record and a newer one, in the order in which the control interface lists
    /// the fields.
    ///
    /// `asn` is included although it follows from `as`, because programs filter on `asn`.
    package func changes(to newer: Record) -> [FieldChange] {
        guard self != newer else { return [] }
        return Field.allCases.compactMap { field in
            let (old, new) = (text(of: field), newer.text(of: field))
            return old == new ? nil : FieldChange(field: field.rawValue, old: old, new: new)
        }
    }
}
