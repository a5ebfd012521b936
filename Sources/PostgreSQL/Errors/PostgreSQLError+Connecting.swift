extension PostgreSQLError {
    /// Returns the failure of a session that could not be established.
    static func ofConnecting(_ session: LibPQSession) -> PostgreSQLError {
        let text = session.error
        if session.needsPassword || text.state?.isOfAuthorization == true {
            return .authenticationFailed(reason: text.line)
        }
        return .connectFailed(reason: text.line.isEmpty ? "no socket" : text.line, state: text.state)
    }

    /// Returns the failure to connect to any of several servers.
    ///
    /// - Parameters:
    ///   - failures: those of the servers, in the order of the attempts.
    ///   - limit: the time limit for all of them.
    static func combining(_ failures: [PostgreSQLError], limit: Duration) -> PostgreSQLError {
        // A wrong password concerns all servers, and only a person can correct it.
        for case .authenticationFailed(let reason) in failures { return .authenticationFailed(reason: reason) }
        var (reasons, states, hasTimedOut) = ([String](), [SQLState](), false)
        for failure in failures {
            switch failure {
            case .connectTimedOut: hasTimedOut = true
            case .connectFailed(let reason, let state):
                reasons.append(reason)
                if let state { states.append(state) }
            default: reasons.append("\(failure)")
            }
        }
        let reason = reasons.isEmpty ? nil : reasons.joined(separator: "; ")
        if hasTimedOut { return .connectTimedOut(limit: limit, reason: reason) }
        return .connectFailed(reason: reason ?? "no server", state: states.last)
    }
}
