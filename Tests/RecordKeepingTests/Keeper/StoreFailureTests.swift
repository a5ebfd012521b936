import Testing

@testable import RecordKeeping

/// Reports and retries when the disk fails.
@Suite struct StoreFailureTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0100_0000)

    @Test func `while the store fails, changes are refused and queries answered, and it recovers by itself`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        harness.disk = .waits
        let (id, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.expect(.commit(.adding([two])))
        harness.failToWrite("disk full")
        harness.expect(.logStoreFailure(reason: "disk full"), .answer(id, .refused(.storeFailed("disk full"))))
        #expect(harness.show(one)?.state == .fresh)
        #expect(harness.show(two)?.entry.watch == nil, "a failed commit changes nothing")
        harness.pass(.seconds(1))
        // The commit is repeated without a request.
        harness.expect(.commit([.health]))
        harness.write()
        // `show` has begun a lookup, whose call had to wait.
        harness.expect(.logStoreRecovery, .call([two], .single))
        let (again, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.expect(.commit(.adding([two])))
        harness.write()
        harness.expect(.answer(again, .added(1, already: 0)))
    }

    @Test func `each failed commit is logged with its reason, and then the first that succeeds`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        harness.disk = .waits
        let (id, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.expect(.commit(.adding([two])))
        harness.failToWrite("disk full")
        harness.expect(.logStoreFailure(reason: "disk full"), .answer(id, .refused(.storeFailed("disk full"))))
        harness.pass(.seconds(1))
        harness.expect(.commit([.health]))
        harness.failToWrite("input/output error")
        harness.expect(.logStoreFailure(reason: "input/output error"))
        harness.pass(.seconds(10))
        harness.expect(.commit([.health]))
        harness.write()
        harness.expect(.logStoreRecovery)
        let (again, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.expect(.commit(.adding([two])))
        harness.write()
        harness.expect(.answer(again, .added(1, already: 0)))
    }

    @Test func `a network loss during the backoff of a failing disk is logged at once, and only once`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep.union([.routeCheck]), of: one)
        harness.disk = .waits
        harness.ask(.add([two], tags: [], note: nil))
        harness.discardEffects()
        harness.failToWrite("disk full")
        harness.discardEffects()
        harness.handle(.routesChanged)
        harness.pass(.milliseconds(500))
        harness.discardEffects()
        harness.loseRoute()
        harness.expect(.log(.networkLost))
        harness.pass(.seconds(1))
        harness.expect(.commit([.event(.networkLost), .health, .outage]))
        harness.write()
        harness.expect(.logStoreRecovery)
    }

    @Test func `a network loss that waits behind a failing commit is logged with its failure`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep.union([.routeCheck]), of: one)
        harness.disk = .waits
        let (id, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.expect(.commit(.adding([two])))
        harness.handle(.routesChanged)
        harness.pass(.milliseconds(500))
        harness.discardEffects()
        harness.loseRoute()
        harness.expect()
        harness.failToWrite("disk full")
        harness.expect(
            .logStoreFailure(reason: "disk full"), .answer(id, .refused(.storeFailed("disk full"))),
            .log(.networkLost))
    }

    @Test func `the next attempt answers a client, even if more work waits for a failing disk than fits in a turn`() {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: 2)
        harness.disk = .waits
        for _ in 0..<6 {
            harness.handle(.routesChanged)
            harness.pass(.seconds(1))
            harness.discardEffects()
            harness.loseRoute()
            harness.discardEffects()
            harness.answerRouteCheck(.open)
            harness.discardEffects()
            harness.failToWrite()
            harness.discardEffects()
        }
        let (id, _) = harness.ask(.add([two], tags: [], note: nil))
        let events = (0..<6).flatMap { _ in [WriteOutline.event(.networkLost), .event(.networkRestored)] }
        harness.expect(.commit(events + [.health] + Array(repeating: .outage, count: 6)))
        harness.failToWrite()
        // The losses are logged already.
        harness.expect(.logStoreFailure(reason: "disk full"), .answer(id, .refused(.storeFailed("disk full"))))
        #expect(harness.commit == nil, "no attempt follows immediately unless a client waits for it")
    }

    @Test func `a record that could not be written is not fetched again, but written later`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.discardEffects()
        harness.disk = .waits
        harness.reply(to: call)
        // Each attempt has a new cohort.
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]))
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"))
        for cohort in Int64(2)...4 {
            harness.pass(.seconds(60))
            harness.expect(.commit(.records(of: [one], cohort: cohort) + [.health]))
            harness.failToWrite()
            harness.expect(.logStoreFailure(reason: "disk full"))
        }
        harness.pass(.seconds(60))
        harness.expect(.commit(.records(of: [one], cohort: 5) + [.health]))
        harness.write()
        harness.expect(.logStoreRecovery)
        #expect(harness.show(one)?.state == .fresh)
    }
}
