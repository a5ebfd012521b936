import Testing

@testable import PostgreSQL

/// Literals, and values as a server sends them. QueryTests passes literals to a server.
struct SQLValueTests {
    @Test(arguments: [
        (SQLValue.null, "NULL"), (.bool(true), "TRUE"), (.bool(false), "FALSE"), (.integer(0), "'0'::int8"),
        (.integer(.min), "'-9223372036854775808'::int8"), (.integer(.max), "'9223372036854775807'::int8"),
        (.text(""), "''"), (.text("a"), "'a'"), (.text("'"), "''''"), (.text("it's"), "'it''s'"),
        (.text("\\"), " E'\\\\'"), (.text("\\'; --"), " E'\\\\''; --'"), (.text("ü"), "'ü'"),
        (.bytes([]), "E'\\\\x'::bytea"), (.bytes([0, 0x27, 0x5C, 0xFF]), "E'\\\\x00275cff'::bytea"),
    ])
    func `a literal quotes its value`(value: SQLValue, literal: String) throws {
        #expect(try value.literal() == literal)
    }

    @Test(arguments: ["\0", "a\0", "a\0'", "\\\0"])
    func `a text with a zero byte has no literal`(text: String) throws {
        #expect(throws: PostgreSQLError.invalidRequest(reason: "a text contains a zero byte")) {
            try SQLValue.text(text).literal()
        }
        let replaced = SQLValue.text(text.replacing("\0", with: "\u{FFFD}"))
        #expect(try replaced.literal() == SQLValue.literal(replacingZeroBytes: text))
    }

    @Test(
        arguments: [
            (SQLType.bool, Array("x".utf8)), (.bool, []), (.bool, Array("tf".utf8)),
            (.int8, Array("9223372036854775808".utf8)), (.int8, Array("1.5".utf8)), (.int8, []),
            (.oid, Array("x".utf8)),
            (.bytea, Array("abc".utf8)), (.bytea, Array("\\x0".utf8)), (.bytea, Array("\\x0g".utf8)),
            (nil, [0xFF]), (nil, [0xC3]),
        ] as [(SQLType?, [UInt8])])
    func `a value that does not have the form of its type is malformed`(type: SQLType?, bytes: [UInt8]) {
        #expect(throws: SQLValue.Malformed.self) {
            try bytes.withUnsafeBytes { try SQLValue($0, type: type?.rawValue ?? 25) }
        }
    }

    @Test func `the length of a query is limited`() throws {
        try SQLRequest.validate(byteCount: SQLRequest.maxBytes)
        let reason = "the query has 536870913 bytes, more than 536870912"
        #expect(throws: PostgreSQLError.invalidRequest(reason: reason)) {
            try SQLRequest.validate(byteCount: SQLRequest.maxBytes + 1)
        }
    }
}
