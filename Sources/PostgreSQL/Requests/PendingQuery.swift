import Dispatch

/// A request whose outcome has not been delivered.
struct PendingQuery {
    typealias Completion = (Result<SQLReply, PostgreSQLError>) -> Void

    let request: SQLRequest
    let limit: Duration
    let deadline: DispatchTime
    let done: Completion
}
