import Testing

@testable import Daemon

/// Limits on the number of connections.
@Suite struct CrowdLimitTests {
    @Test func `one user cannot use up the connections of the others`() throws {
        var crowd = Crowd()
        for _ in 0..<ControlLimits.connectionsPerUser { try crowd.admit(1_000, isAdministrator: false) }
        #expect(throws: Crowd.Refusal.tooManyOfUser(1_000, limit: ControlLimits.connectionsPerUser)) {
            try crowd.admit(1_000, isAdministrator: false)
        }
        try crowd.admit(1_001, isAdministrator: false)
        crowd.leave(1_000)
        try crowd.admit(1_000, isAdministrator: false)
    }

    @Test func `administrators can connect when all connections of other users are in use`() throws {
        var crowd = Crowd()
        let users = ControlLimits.connections / ControlLimits.connectionsPerUser
        for user in 0..<ControlLimits.connections {
            try crowd.admit(1_000 + UInt32(user % users), isAdministrator: false)
        }
        #expect(throws: Crowd.Refusal.tooMany(limit: ControlLimits.connections)) {
            try crowd.admit(5, isAdministrator: false)
        }
        for _ in 0..<ControlLimits.administratorsReserve { try crowd.admit(0, isAdministrator: true) }
        #expect(throws: Crowd.Refusal.tooMany(limit: ControlLimits.connections + ControlLimits.administratorsReserve)) {
            try crowd.admit(0, isAdministrator: true)
        }
        for user in 0..<ControlLimits.connections { crowd.leave(1_000 + UInt32(user % users)) }
        try crowd.admit(1_000, isAdministrator: false)
        #expect(crowd.count == ControlLimits.administratorsReserve + 1)
    }
}
