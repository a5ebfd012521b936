/// An error or a warning of the server, with the fields of PQresultErrorField ("Main Functions" in the chapter "libpq"
/// of PostgreSQL's documentation).
///
/// A warning matters if it follows a COMMIT: a server whose wait for its standby was cancelled reports success, and
/// only a warning says that the standby may not have the commit.
package struct ServerMessage: Hashable, Sendable, CustomStringConvertible {
    /// The severity.
    package enum Severity: String, Hashable, Sendable {
        case debug = "DEBUG"
        case log = "LOG"
        case info = "INFO"
        case notice = "NOTICE"
        case warning = "WARNING"
        /// The statement failed, and its transaction is aborted.
        case error = "ERROR"
        /// The session ended.
        case fatal = "FATAL"
        /// All sessions ended, and the server restarts.
        case panic = "PANIC"

        /// Whether the server ends the session after the message.
        var endsSession: Bool { self == .fatal || self == .panic }
    }

    package let severity: Severity
    package let state: SQLState
    /// The primary message, usually one line, in the server's language.
    package let message: String
    /// May contain values of rows, such as those of a key that exists.
    package let detail: String?
    package let hint: String?
    /// The name of the function in the server's sources that reported it (PG_DIAG_SOURCE_FUNCTION). Unlike the text, it
    /// is not translated.
    package let routine: String?

    package init(
        severity: Severity, state: SQLState, message: String, detail: String? = nil, hint: String? = nil,
        routine: String? = nil
    ) {
        (self.severity, self.state, self.message) = (severity, state, message)
        (self.detail, self.hint, self.routine) = (detail, hint, routine)
    }

    /// Whether the message is the reason for the end of the session.
    var endsSession: Bool { severity.endsSession || state.isOfShutdown }

    package var description: String {
        "\(message) (\(state))" + (hint.map { "; hint: \($0)" } ?? "")
    }
}
