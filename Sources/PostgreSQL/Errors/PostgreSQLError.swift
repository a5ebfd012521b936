/// A failure of a connection to PostgreSQL, or of a query.
///
/// No description contains a password. The sources are named by the sections of the chapter "libpq - C Library" in
/// PostgreSQL's documentation.
package enum PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    // MARK: Configuration

    /// libpq is not installed or too old; the reason is that of dlopen(3) or dlsym(3).
    case libraryMissing(reason: String)
    /// libpq cannot parse the URL (PQconninfoParse). The reason does not quote the URL, which may contain a password.
    case invalidURL(reason: String)
    /// The URL contains a password, and URLs are shown in logs and configurations.
    case secretInURL(keyword: String)

    // MARK: Connecting

    /// The host name cannot be resolved; the reason is that of getaddrinfo(3).
    case unresolvedHost(String, reason: String)
    /// No server accepted the connection within the time limit.
    case connectTimedOut(limit: Duration, reason: String?)
    /// A server refused the user or the password, or asked for a password and none is configured.
    case authenticationFailed(reason: String)
    /// No server could be reached, or none was writable (PQconnectPoll). Contains the SQLSTATE of the last server that
    /// replied.
    case connectFailed(reason: String, state: SQLState?)

    // MARK: Queries

    /// The query was not sent, because it cannot be expressed in the protocol.
    case invalidRequest(reason: String)
    /// The query was not sent, because too many wait.
    case tooManyPendingQueries(max: Int)
    /// The server reported an error, and the connection remains usable (PQresultErrorField).
    case server(ServerMessage)
    /// The connection ended before the query was sent: the query had no effect.
    case notSent(ConnectionEnd)
    /// There was never a connection, so the query had no effect.
    indirect case notConnected(PostgreSQLError)
    /// The connection ended after the query was sent: the query may have had its effect, or may still have it.
    case outcomeUnknown(ConnectionEnd)
    /// The time limit of the query passed. If it was sent, it may have had its effect, or may still have it.
    case timedOut(limit: Duration, wasSent: Bool)

    /// Whether the query may have had its effect, so that it must not be repeated without a check.
    package var isOutcomeUnknown: Bool {
        switch self {
        case .outcomeUnknown, .timedOut(_, wasSent: true): true
        case .libraryMissing, .invalidURL, .secretInURL, .unresolvedHost, .connectTimedOut, .authenticationFailed,
            .connectFailed, .invalidRequest, .tooManyPendingQueries, .server, .notSent, .notConnected,
            .timedOut(_, wasSent: false):
            false
        }
    }

    /// The code of the server's error, if the server reported one.
    package var state: SQLState? {
        switch self {
        case .server(let message), .notSent(.endedByServer(let message)), .outcomeUnknown(.endedByServer(let message)):
            message.state
        case .connectFailed(_, let state): state
        case .notConnected(let failure): failure.state
        default: nil
        }
    }

    /// The failure and what to do about it.
    package var description: String {
        switch self {
        case .libraryMissing(let reason):
            "cannot load libpq, PostgreSQL's client library: \(reason); install the package libpq5"
        case .invalidURL(let reason):
            "invalid URL of the database: \(reason)"
        case .secretInURL(let keyword):
            "the URL of the database contains a secret (\(keyword)); use a credential or a password file instead"
        case .unresolvedHost(let host, let reason):
            "cannot resolve the database's host \"\(host)\": \(reason)"
        case .connectTimedOut(let limit, let reason):
            "cannot connect to the database within \(limit.text)" + (reason.map { ": \($0)" } ?? "")
        case .authenticationFailed(let reason):
            """
            the database refused the user: \(reason); check the user in the URL, the password (a password file needs \
            mode 0600) and the server's pg_hba.conf
            """
        case .connectFailed(let reason, _):
            "cannot connect to the database: \(reason)"
        case .invalidRequest(let reason):
            "invalid query: \(reason)"
        case .tooManyPendingQueries(let max):
            "the query was not sent: \(max) queries are waiting"
        case .server(let message):
            "the database reported an error: \(message)"
        case .notSent(let end):
            "the query was not sent: \(end)"
        case .notConnected(let failure):
            "the query was not sent: \(failure)"
        case .outcomeUnknown(let end):
            "the outcome of the query is unknown: \(end)"
        case .timedOut(let limit, wasSent: false):
            "the query was not sent within \(limit.text)"
        case .timedOut(let limit, wasSent: true):
            "the outcome of the query is unknown: the server did not reply within \(limit.text)"
        }
    }
}
