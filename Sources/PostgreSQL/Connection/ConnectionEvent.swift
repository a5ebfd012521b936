/// A change of a connection that is not the outcome of a query.
package enum ConnectionEvent: Sendable {
    /// Identifies the session at the server.
    package struct Session: Hashable, Sendable {
        /// The process identifier of the server's backend, as in pg_stat_activity.
        package var processID: Int32
        /// The version of the server, such as 150018 for 15.18.
        package var serverVersion: Int32
    }

    /// A notification of LISTEN and NOTIFY.
    package struct Notification: Hashable, Sendable {
        package var channel: String
        package var payload: String
        /// The process identifier of the backend that sent it.
        package var processID: Int32
    }

    /// The connection to a writable server was established.
    case ready(Session)
    case notified(Notification)
    /// No connection was established. This is the last event.
    case failed(PostgreSQLError)
    /// The established connection ended. This is the last event.
    case ended(ConnectionEnd)
}
