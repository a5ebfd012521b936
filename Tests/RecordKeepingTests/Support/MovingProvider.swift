import Testing

@testable import RecordKeeping

/// A provider that moves from one address to another, for tests of the addresses that route checks use.
enum MovingProvider {
    static let old = IPAddress(v4: 0x0A00_0001)
    static let new = IPAddress(v4: 0x0A00_0002)
    static let noRoute = RouteStatus.none(reason: "no route")

    /// The effects of a loss, which is the second kept event.
    static let lost: [EffectOutline] = [.commit([.event(.networkLost), .health, .outage]), .log(.networkLost)]
    static let restored: [EffectOutline] = [
        .resolve, .commit([.event(.networkRestored), .health, .outage, .alertsLogged(through: 2)]),
        .log(.networkRestored),
    ]
}

extension KeeperHarness {
    /// Returns a keeper with a route to the provider's old address. The test ends resolutions.
    ///
    /// - Parameter address: a watched address with a new record; nil for a keeper that has nothing to do.
    static func withMovingProvider(
        of address: IPAddress? = IPAddress(v4: 0x0101_0101), sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> KeeperHarness {
        let harness =
            try address.map { try withRecord(ignoring: .upkeep, of: $0, sourceLocation: sourceLocation) }
            ?? KeeperHarness(ignoring: .upkeep, sourceLocation: sourceLocation)
        harness.resolver = .waits
        harness.handle(.resolved([MovingProvider.old]))
        #expect(harness.log.lastChecked == [MovingProvider.old])
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
        return harness
    }

    /// Reports a route change, and the result of the route check, whose effects the test states.
    func changeRoutes(_ status: RouteStatus, sourceLocation: SourceLocation = #_sourceLocation) {
        handle(.routesChanged)
        pass(keeper.settings.debounce)
        expect(.checkRoute, sourceLocation: sourceLocation)
        answerRouteCheck(status)
    }

    /// Reports a route change, and a missing route to the provider's old address.
    func doubtRoute(sourceLocation: SourceLocation = #_sourceLocation) {
        changeRoutes(MovingProvider.noRoute, sourceLocation: sourceLocation)
        #expect(log.lastChecked == [MovingProvider.old], sourceLocation: sourceLocation)
        expect(.resolve, sourceLocation: sourceLocation)
    }

    /// Begins a call for an address.
    func beginCall(for address: IPAddress) throws -> Call {
        add([address])
        discardEffects()
        let call = try #require(pass(Limits.gather).calls.first)
        expect(.call([address], .single))
        return call
    }
}

extension [Effect] {
    /// The addresses of the last route check.
    var lastChecked: [IPAddress]? {
        compactMap { if case .checkRoute(_, let addresses) = $0 { addresses } else { nil } }.last
    }
}
