/// The code of an error of a PostgreSQL server: five digits or capital letters, of which the first two are the class
/// ("PostgreSQL Error Codes", an appendix of PostgreSQL's documentation).
///
/// Unlike the message, it does not depend on the server's language or version.
package struct SQLState: Hashable, Sendable, CustomStringConvertible {
    package let code: String

    package static let uniqueViolation = SQLState(verified: "23505")
    package static let invalidPassword = SQLState(verified: "28P01")
    package static let readOnlyTransaction = SQLState(verified: "25006")
    package static let serializationFailure = SQLState(verified: "40001")
    package static let deadlockDetected = SQLState(verified: "40P01")
    package static let lockNotAvailable = SQLState(verified: "55P03")
    /// A statement was cancelled, also because of `statement_timeout`.
    package static let queryCanceled = SQLState(verified: "57014")
    /// The session was terminated, also by `pg_terminate_backend`.
    package static let adminShutdown = SQLState(verified: "57P01")
    /// A function such as pg_current_wal_lsn() cannot run on a standby.
    package static let recoveryInProgress = SQLState(verified: "55000")
    package static let undefinedTable = SQLState(verified: "42P01")
    package static let undefinedSchema = SQLState(verified: "3F000")
    package static let diskFull = SQLState(verified: "53100")
    /// RAISE EXCEPTION of PL/pgSQL without another code.
    package static let raisedException = SQLState(verified: "P0001")

    /// Returns nil if the text is not the code of an error.
    package init?(_ code: some StringProtocol) {
        let isCode = code.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || Self.isCapital($0) }
        guard code.utf8.count == 5, isCode else { return nil }
        self.code = String(code)
    }

    private init(verified code: String) {
        self.code = code
    }

    /// Whether the server refused the user, the password or the client's address (class 28).
    package var isOfAuthorization: Bool { code.hasPrefix("28") }

    /// Whether an administrator, or a crash of another session, ended the session (class 57, from P01 on).
    package var isOfShutdown: Bool { code.hasPrefix("57P") }

    package var description: String { code }

    private static func isCapital(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
