package import PostgreSQL

extension ConnectionEvent {
    package var session: Session? {
        if case .ready(let session) = self { session } else { nil }
    }

    package var notification: Notification? {
        if case .notified(let notification) = self { notification } else { nil }
    }

    package var failure: PostgreSQLError? {
        if case .failed(let failure) = self { failure } else { nil }
    }

    package var end: ConnectionEnd? {
        if case .ended(let end) = self { end } else { nil }
    }
}
