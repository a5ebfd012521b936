import Testing

@testable import Daemon

/// Limits on the number of connections.
@Suite struct ConnectionLimitTests {
    @Test func `one user cannot use up the connections of the others`() throws {
        var limiter = ConnectionLimiter()
        for _ in 0..<ControlLimits.connectionsPerUser { try limiter.admit(1_000, isAdministrator: false) }
        #expect(throws: ConnectionLimiter.Refusal.tooManyOfUser(1_000, limit: ControlLimits.connectionsPerUser)) {
            try limiter.admit(1_000, isAdministrator: false)
        }
        try limiter.admit(1_001, isAdministrator: false)
        limiter.leave(1_000)
        try limiter.admit(1_000, isAdministrator: false)
    }

    @Test func `administrators can connect when all connections of other users are in use`() throws {
        var limiter = ConnectionLimiter()
        let users = ControlLimits.connections / ControlLimits.connectionsPerUser
        for user in 0..<ControlLimits.connections {
            try limiter.admit(1_000 + UInt32(user % users), isAdministrator: false)
        }
        #expect(throws: ConnectionLimiter.Refusal.tooMany(limit: ControlLimits.connections)) {
            try limiter.admit(5, isAdministrator: false)
        }
        for _ in 0..<ControlLimits.administratorsReserve { try limiter.admit(0, isAdministrator: true) }
        #expect(
            throws: ConnectionLimiter.Refusal.tooMany(
                limit: ControlLimits.connections + ControlLimits.administratorsReserve)
        ) {
            try limiter.admit(0, isAdministrator: true)
        }
        for user in 0..<ControlLimits.connections { limiter.leave(1_000 + UInt32(user % users)) }
        try limiter.admit(1_000, isAdministrator: false)
        #expect(limiter.count == ControlLimits.administratorsReserve + 1)
    }
}
