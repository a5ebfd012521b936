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
