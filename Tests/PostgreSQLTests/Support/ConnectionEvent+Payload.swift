@testable import PostgreSQL

extension ConnectionEvent {
    var session: Session? {
        if case .ready(let session) = self { session } else { nil }
    }

    var notification: Notification? {
        if case .notified(let notification) = self { notification } else { nil }
    }

    var failure: PostgreSQLError? {
        if case .failed(let failure) = self { failure } else { nil }
    }

    var end: ConnectionEnd? {
        if case .ended(let end) = self { end } else { nil }
    }
}
