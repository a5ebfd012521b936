import GRDB
import Testing

@testable import RecordStore

/// Values are bound to a statement in order, for one row after another.
@Suite struct RowWriterTests {
    @Test func `each row has the values that were bound for it, and NULL for nil`() throws {
        let database = try DatabaseQueue()
        let rows = try database.write { database in
            try database.execute(sql: "CREATE TABLE sample (text TEXT, number INTEGER, degrees REAL, flag INTEGER)")
            let statement = try database.cachedStatement(sql: "INSERT INTO sample VALUES (?, ?, ?, ?)")
            try write("é", -1, 0.5, true, with: statement)
            try write(nil, nil, nil, nil, with: statement)
            try write("", 0, -0.0, false, with: statement)
            return try Row.fetchAll(database, sql: "SELECT * FROM sample ORDER BY rowid")
        }
        #expect(
            rows == [
                ["text": "é", "number": -1, "degrees": 0.5, "flag": 1],
                ["text": nil, "number": nil, "degrees": nil, "flag": nil],
                ["text": "", "number": 0, "degrees": 0.0, "flag": 0],
            ])
    }

    private func write(
        _ text: String?, _ number: Int64?, _ degrees: Double?, _ flag: Bool?, with statement: Statement
    ) throws {
        var row = RowWriter(statement)
        try row.bind(text)
        try row.bind(number)
        try row.bind(degrees)
        try row.bind(flag)
        try row.write()
    }

    @Test func `a row that violates a constraint is an error, and the next row is written`() throws {
        let database = try DatabaseQueue()
        let rows = try database.write { database in
            try database.execute(sql: "CREATE TABLE sample (text TEXT NOT NULL)")
            let statement = try database.cachedStatement(sql: "INSERT INTO sample VALUES (?)")
            var first = RowWriter(statement)
            try first.bind(nil as String?)
            let error = #expect(throws: DatabaseError.self) { try first.write() }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL)
            #expect(error?.message == "NOT NULL constraint failed: sample.text")
            var second = RowWriter(statement)
            try second.bind("second")
            try second.write()
            return try String.fetchAll(database, sql: "SELECT text FROM sample")
        }
        #expect(rows == ["second"])
    }

    @Test func `a value without a parameter is an error`() throws {
        try DatabaseQueue().write { database in
            var row = RowWriter(try database.cachedStatement(sql: "SELECT ?"))
            try row.bind(1 as Int64)
            #expect(throws: DatabaseError.self) { try row.bind(2 as Int64) }
        }
    }
}
