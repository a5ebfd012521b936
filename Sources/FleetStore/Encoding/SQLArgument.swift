import Fleet
import PostgreSQL

/// An argument of a function of the schema.
enum SQLArgument {
    case integer(Int64?)
    case text(String?)
    case bool(Bool)
    case bytes([UInt8])
    case id(UniqueID?)
    case ids([UniqueID])
    case texts([String])
    case integers([Int64])
    case byteArrays([[UInt8]])

    /// The argument as an SQL expression.
    ///
    /// - Throws: `invalidRequest` if a text contains a zero byte.
    func expression() throws(PostgreSQLError) -> String {
        switch self {
        case .integer(let number): try number.map { SQLValue.integer($0) }.literalOrNull("bigint")
        case .text(let text): try text.map { SQLValue.text($0) }.literalOrNull("text")
        case .bool(let value): try SQLValue.bool(value).literal()
        case .bytes(let bytes): try SQLValue.bytes(bytes).literal()
        case .id(let id): id.map(\.uuidLiteral) ?? "NULL::uuid"
        case .ids(let ids): Self.array(ids.map(\.uuidLiteral), of: "uuid")
        case .texts(let texts): Self.array(try Self.literals(texts.map { .text($0) }), of: "text")
        case .integers(let numbers): Self.array(numbers.map { "'\($0)'" }, of: "bigint")
        case .byteArrays(let arrays): Self.array(try Self.literals(arrays.map { .bytes($0) }), of: "bytea")
        }
    }

    private static func literals(_ values: [SQLValue]) throws(PostgreSQLError) -> [String] {
        var literals: [String] = []
        for value in values { literals.append(try value.literal()) }
        return literals
    }

    private static func array(_ elements: [String], of type: String) -> String {
        "ARRAY[\(elements.joined(separator: ","))]::\(type)[]"
    }
}

extension UniqueID {
    fileprivate var uuidLiteral: String { "'\(uuid)'::uuid" }
}

extension SQLValue? {
    fileprivate func literalOrNull(_ type: String) throws(PostgreSQLError) -> String {
        guard let self else { return "NULL::\(type)" }
        return try self.literal()
    }
}
