/// A problem with one field of an element.
struct FieldProblem: Error, Hashable, CustomStringConvertible {
    /// The problem, beginning with the field's name: "lat is 91.0, outside -90 to 90".
    let description: String

    init(_ field: FieldName, _ problem: String) {
        description = "\(field.name) \(problem)"
    }
}
