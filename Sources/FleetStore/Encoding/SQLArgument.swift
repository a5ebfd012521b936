import Fleet
import PostgreSQL

/// A value in a statement: an argument of a function, an element of an array or a column of a row.
enum SQLArgument {
    case integer(Int64?)
    case text(String?)
    /// A text of the current state. A provider or a client might send zero bytes, which PostgreSQL cannot store, and a
    /// failure would stop all commits. Each is replaced with U+FFFD. The journal's rows keep the bytes.
    case storedText(String?)
    case bool(Bool?)
    case degrees(Double?)
    case bytes([UInt8])
    case id(UniqueID?)
    case ids([UniqueID])
    case texts([String])
    case integers([Int64])
    case byteArrays([[UInt8]])

    /// The value with its type, for an argument of a function.
    ///
    /// - Throws: `invalidRequest` if a text contains a zero byte.
    func expression() throws(PostgreSQLError) -> String {
        switch self {
        case .integer(let number?): try SQLValue.integer(number).literal()
        case .integer(nil): "NULL::bigint"
        case .text(nil), .storedText(nil): "NULL::text"
        case .bool(nil): "NULL::boolean"
        case .degrees: "\(try element())::float8"
        case .id(nil): "NULL::uuid"
        case .text, .storedText, .bool, .bytes, .id, .ids, .texts, .integers, .byteArrays: try element()
        }
    }

    /// The value without its type, for an element of an array or a column of a row, which determine the type.
    ///
    /// - Throws: `invalidRequest` if a text contains a zero byte.
    func element() throws(PostgreSQLError) -> String {
        switch self {
        case .integer(nil), .text(nil), .storedText(nil), .bool(nil), .degrees(nil), .id(nil): "NULL"
        case .integer(let number?): "\(number)"
        case .text(let text?): try SQLValue.text(text).literal()
        case .storedText(let text?): SQLValue.literal(replacingZeroBytes: text)
        case .bool(let value?): try SQLValue.bool(value).literal()
        case .degrees(let number?): "'\(number)'"
        case .bytes(let bytes): try SQLValue.bytes(bytes).literal()
        case .id(let id?): id.uuidLiteral
        case .ids(let ids): Self.array(ids.map(\.uuidLiteral), of: "uuid")
        case .texts(let texts): Self.array(try Self.literals(texts.map { .text($0) }), of: "text")
        case .integers(let numbers): Self.array(numbers)
        case .byteArrays(let arrays): Self.array(try Self.literals(arrays.map { .bytes($0) }), of: "bytea")
        }
    }

    private static func literals(_ values: [SQLValue]) throws(PostgreSQLError) -> [String] {
        var literals: [String] = []
        for value in values { literals.append(try value.literal()) }
        return literals
    }

    /// The numbers as an array in one constant, which the server parses faster than many.
    static func array(_ numbers: [Int64]) -> String {
        "'{\(numbers.map { "\($0)" }.joined(separator: ","))}'::bigint[]"
    }

    /// The elements as an array.
    static func array(_ elements: [String], of type: String) -> String {
        "ARRAY[\(elements.joined(separator: ","))]::\(type)[]"
    }
}

extension [SQLArgument] {
    /// - Throws: `notSent` if a text contains a zero byte.
    func expressions() throws(FleetStoreError) -> [String] {
        try texts { (argument) throws(PostgreSQLError) in try argument.expression() }
    }

    /// - Throws: `notSent` if a text contains a zero byte.
    func elements() throws(FleetStoreError) -> [String] {
        try texts { (argument) throws(PostgreSQLError) in try argument.element() }
    }

    private func texts(
        _ text: (SQLArgument) throws(PostgreSQLError) -> String
    ) throws(FleetStoreError) -> [String] {
        do throws(PostgreSQLError) {
            var texts: [String] = []
            texts.reserveCapacity(count)
            for argument in self { texts.append(try text(argument)) }
            return texts
        } catch {
            throw FleetStoreError(error)
        }
    }
}

extension UniqueID {
    fileprivate var uuidLiteral: String { "'\(uuid)'::uuid" }
}
