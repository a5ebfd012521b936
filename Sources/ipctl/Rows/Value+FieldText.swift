import Varlink

extension Value {
    /// The value as in `--field`: the elements of a list are separated by commas, and an unknown value is empty.
    var fieldText: String {
        switch self {
        case .null: ""
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .array(let values): values.map(\.fieldText).joined(separator: ",")
        // A failure, or a record from local databases.
        case .object(let members): (members["kind"] ?? members["database"])?.fieldText ?? ""
        }
    }
}
