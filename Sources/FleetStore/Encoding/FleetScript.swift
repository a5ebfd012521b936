import PostgreSQL

/// The text of one transaction, which is sent as one message of the simple query protocol.
///
/// The message contains neither BEGIN nor COMMIT: the server executes a message with several statements as one
/// transaction ("Multiple Statements in a Simple Query"). In contrast to an explicit transaction, no ROLLBACK
/// is needed after an error, and a pooler in transaction mode gets its server connection back at once. The server has
/// the whole message before it executes the first statement, so it never waits for the client while it holds a lock.
struct FleetScript {
    /// The snapshot of the transaction.
    enum Isolation: String {
        /// Each statement sees what was committed before it began. The conditions behind locks require this.
        case readCommitted = "READ COMMITTED"
        /// All statements see the same state, and none can write.
        case snapshot = "REPEATABLE READ READ ONLY"
    }

    private(set) var text: String

    /// A message that begins a transaction and leaves it open, or belongs to one. The only transactions of this kind
    /// are those that read a snapshot, which lock no rows.
    init(text: String) {
        self.text = text
    }

    init(_ isolation: Isolation) {
        text = "SET TRANSACTION ISOLATION LEVEL \(isolation.rawValue)"
    }

    /// Limits the time for which each statement waits for a lock. SET LOCAL ends with the transaction, so it works
    /// behind a pooler.
    mutating func limitLockWait(to limit: Duration) {
        append("SET LOCAL lock_timeout = \(limit / .milliseconds(1))")
    }

    mutating func append(_ statement: String) {
        text += ";\n" + statement
    }

    /// Appends a statement that calls a function of the schema and selects the columns of its result.
    ///
    /// - Throws: `notSent` if a text contains a zero byte.
    mutating func call(_ function: String, _ arguments: [SQLArgument]) throws(FleetStoreError) {
        append(try Self.statement(calling: function, arguments))
    }

    static func statement(calling function: String, _ arguments: [SQLArgument]) throws(FleetStoreError) -> String {
        "SELECT * FROM iprecord.\(function)(\(try arguments.expressions().joined(separator: ", ")))"
    }

    /// Appends a SELECT statement.
    ///
    /// - Parameters:
    ///   - rest: the text after SELECT, with `$1` to `$9` in place of the arguments.
    mutating func select(_ rest: String, _ arguments: [SQLArgument]) throws(FleetStoreError) {
        let expressions = try arguments.expressions()
        var (statement, isNumber) = ("SELECT ", false)
        for character in rest {
            if isNumber, let number = character.wholeNumberValue {
                statement += expressions[number - 1]
                isNumber = false
            } else if character == "$" {
                isNumber = true
            } else {
                statement.append(character)
            }
        }
        append(statement)
    }
}
