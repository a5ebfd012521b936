import Testing

@testable import RecordKeeping

/// Watched host names and the entries of their addresses.
@Suite struct NamesTests {
    private let www = HostName.example()
    private let mail = HostName.example("mail")
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)
    private let three = IPAddress(v4: 0x0909_0909)

    private func watch(_ address: IPAddress, in harness: KeeperHarness) -> Watch? {
        harness.show(address)?.entry.watch
    }

    // MARK: Adding and resolving

    @Test func `a name is stored, acknowledged and resolved, and its addresses are watched`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let id = harness.ask(.addNames([www], tags: ["web"], note: "n")).0
        harness.expect(
            .commit([.name(www, []), .event(.nameAdded), .history]), .answer(id, .namesAdded(1, already: 0)),
            .resolveName(www))
        #expect(harness.view(of: www)?.state == .loading)
        harness.resolve(www, [two, one, two])
        harness.expect(
            .commit([
                .name(www, [one, two]), .event(.addressAdded, one), .put(one), .event(.added, one),
                .event(.addressAdded, two), .put(two), .event(.added, two),
            ]))
        let view = harness.view(of: www)
        #expect(view?.state == .fresh && view?.watch.addresses == [one, two])
        #expect(view?.watch.answeredAt == harness.now.wall)
        #expect(view?.nextAt == harness.now.wall + harness.keeper.settings.interval)
        for address in [one, two] {
            #expect(watch(address, in: harness) == Watch(byClient: false, byName: true, tags: ["web"], note: "n"))
        }
        harness.pass(Limits.gather)
        harness.expect(.commit([.health]), .call([one, two], .batch))
    }

    @Test func `a name is resolved once per interval, and the same answer changes nothing`() {
        let harness = KeeperHarness(ignoring: .fetching)
        harness.watch(www, [one])
        harness.pass(.milliseconds(299_999))
        harness.pass(.milliseconds(1))
        harness.expect(.resolveName(www))
        // While the resolution is in progress, no other one begins.
        harness.pass(.seconds(400))
        harness.expect()
        let commits = harness.log.commits.flatMap(\.writes).count { if case .putName = $0 { true } else { false } }
        harness.resolve(www, [one])
        harness.expect(.resolveName(www))
        harness.resolve(www, [one])
        #expect(
            harness.log.commits.flatMap(\.writes).count { if case .putName = $0 { true } else { false } } == commits)
        #expect(harness.view(of: www)?.watch.answeredAt == harness.now.wall)
    }

    @Test func `addresses come and go with the answers, with events of the name and of the entries`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.watch(www, [one, two])
        harness.pass(.seconds(300))
        harness.resolve(www, [two, three])
        #expect(harness.watched == [two, three])
        #expect(
            harness.namedEvents.suffix(4) == [
                "addressRemoved www.example 1.1.1.1", "removed 1.1.1.1 www.example no longer has this address",
                "addressAdded www.example 9.9.9.9", "added 9.9.9.9",
            ])
        #expect(harness.view(of: www)?.watch.addresses == [two, three])
    }

    @Test(arguments: [true, false]) func `an address that a client or a file has too stays`(isByClient: Bool) {
        let harness = KeeperHarness(ignoring: .all)
        if isByClient {
            harness.ask(.add([one], tags: ["a"], note: "mine"))
        } else {
            harness.handle(.listsRead(ListReading([ListedAddress(address: one, tags: ["a"], note: "mine")])))
        }
        harness.watch(www, tags: ["b"], note: "theirs", [one])
        // The note of the entry takes precedence.
        let both = Watch(byClient: isByClient, byFile: !isByClient, byName: true, tags: ["a", "b"], note: "mine")
        #expect(watch(one, in: harness) == both)
        harness.pass(.seconds(300))
        harness.resolve(www, [two])
        #expect(harness.watched == [one, two])
        #expect(watch(one, in: harness)?.byName == false)
        #expect(watch(one, in: harness)?.origin == (isByClient ? .client : .file))
        #expect(!harness.namedEvents.contains { $0.hasPrefix("removed") }, "\(harness.namedEvents)")
    }

    @Test func `an address that a client removes stays while a name has it`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.ask(.add([one], tags: [], note: nil))
        harness.watch(www, [one])
        let (id, effects) = harness.ask(.remove([one]))
        #expect(effects.answer(to: id) == .removed(0, staying: [one]))
        #expect(watch(one, in: harness)?.origin == .name)
        let (preview, previewed) = harness.ask(.previewRemoval([one]))
        #expect(previewed.answer(to: preview) == .removed(0, staying: [one]))
        harness.ask(.removeNames([www]))
        #expect(harness.watched == [])
    }

    @Test func `an address that leaves its file stays while a name has it`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([one, two].map { ListedAddress(address: $0, tags: []) })))
        harness.watch(www, [one])
        harness.handle(.listsRead(ListReading([ListedAddress(address: two, tags: [])])))
        #expect(harness.watched == [one, two])
        #expect(watch(one, in: harness)?.origin == .name)
    }

    @Test func `an address of two names stays until both have lost it`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.watch(www, [one])
        harness.watch(mail, [one, two])
        #expect(harness.namedEvents.count { $0 == "added 1.1.1.1" } == 1)
        harness.pass(.seconds(300))
        harness.resolve(www, [three])
        #expect(harness.watched == [one, two, three])
        harness.resolve(mail, [two])
        #expect(harness.watched == [two, three])
        harness.ask(.removeNames([mail, www]))
        #expect(harness.watched == [])
        #expect(harness.namedEvents.suffix(4).filter { $0.hasPrefix("nameRemoved") }.count == 2)
    }

    // MARK: Failures

    @Test func `a failing resolver keeps the addresses, marked as stale with the first reason`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.watch(www, [one])
        let answeredAt = harness.now.wall
        harness.pass(.seconds(300))
        let since = harness.now.wall
        harness.failToResolve(www, "no reply")
        harness.pass(.seconds(1))
        harness.failToResolve(www, "refused")
        let view = harness.view(of: www)
        #expect(view?.state == .stale && view?.watch.addresses == [one] && view?.watch.answeredAt == answeredAt)
        #expect(view?.watch.failure == NameFailure(reason: "no reply", since: since))
        #expect(harness.watched == [one])
        #expect(harness.namedEvents.filter { $0.hasPrefix("nameFailed") } == ["nameFailed www.example no reply"])
        harness.pass(.seconds(2))
        harness.resolve(www, [one])
        #expect(harness.view(of: www)?.state == .fresh && harness.view(of: www)?.watch.failure == nil)
        #expect(harness.namedEvents.last == "nameRecovered www.example")
    }

    @Test func `a failed resolution is retried with a growing delay, up to the interval`() {
        let harness = KeeperHarness(ignoring: .fetching.union([.answer]))
        harness.ask(.addNames([www], tags: [], note: nil))
        harness.discardEffects()
        var longest = Duration.zero
        for _ in 0..<14 {
            harness.failToResolve(www)
            var waited = Duration.zero
            while harness.pass(.milliseconds(500)).resolvedNames.isEmpty {
                waited += .milliseconds(500)
                #expect(waited < harness.keeper.settings.interval)
                if waited >= harness.keeper.settings.interval { return }
            }
            harness.discardEffects()
            longest = max(longest, waited)
        }
        #expect(longest >= harness.keeper.settings.interval / 2)
        #expect(harness.view(of: www)?.state == .failed)
    }

    @Test(arguments: [0, 65]) func `an answer without addresses, or with too many, is a failure`(count: Int) {
        let harness = KeeperHarness(ignoring: .all)
        harness.watch(www, [one])
        harness.pass(.seconds(300))
        harness.resolve(www, addresses(count))
        #expect(harness.watched == [one])
        let reason = count == 0 ? "no addresses found" : "65 addresses found; a name can have at most 64"
        #expect(harness.view(of: www)?.watch.failure?.reason == reason)
    }

    // MARK: Clients

    @Test func `names that are added again keep their addresses and get more labels`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.watch(www, tags: ["a"], [one])
        let (id, effects) = harness.ask(.addNames([www, mail, www], tags: ["b"], note: "n"))
        #expect(effects.answer(to: id) == .namesAdded(1, already: 1))
        #expect(watch(one, in: harness) == Watch(byClient: false, byName: true, tags: ["a", "b"], note: "n"))
        #expect(effects.resolvedNames == [mail])
        let unchanged = harness.ask(.addNames([www], tags: ["b"], note: nil)).1
        #expect(unchanged.commits.isEmpty && unchanged.resolvedNames.isEmpty)
    }

    @Test func `only administrators change names, and only watched names can be removed`() {
        let harness = KeeperHarness(ignoring: .all)
        for body in [Request.Body.addNames([www], tags: [], note: nil), .removeNames([www])] {
            let (id, effects) = harness.ask(body, asAdministrator: false)
            #expect(effects.answer(to: id) == .refused(.permissionDenied))
        }
        harness.watch(www, [one])
        let (id, effects) = harness.ask(.removeNames([www, mail]))
        #expect(effects.answer(to: id) == .refused(.nameNotWatched(mail)))
        #expect(harness.watched == [one])
        let (query, answer) = harness.ask(.names([mail]), asAdministrator: false)
        #expect(answer.answer(to: query) == .refused(.nameNotWatched(mail)))
    }

    @Test func `the number of names is limited`() {
        let harness = KeeperHarness(ignoring: .all)
        let names = (0..<Limits.watchedNames).map { HostName.example("a\($0)") }
        for start in stride(from: 0, to: names.count, by: Limits.namesPerRequest) {
            let part = names[start..<min(start + Limits.namesPerRequest, names.count)]
            harness.ask(.addNames(Array(part), tags: [], note: nil))
        }
        let (id, effects) = harness.ask(.addNames([names[0], www], tags: [], note: nil))
        #expect(effects.answer(to: id) == .refused(.tooMany(limit: 1_000, .watchedNames)))
        let (again, added) = harness.ask(.addNames([names[0]], tags: [], note: nil))
        #expect(added.answer(to: again) == .namesAdded(0, already: 1))
        harness.ask(.removeNames([names[0]]))
        let (last, one) = harness.ask(.addNames([www], tags: [], note: nil))
        #expect(one.answer(to: last) == .namesAdded(1, already: 0))
    }

    @Test func `at most eight names are resolved at the same time, in order`() {
        let harness = KeeperHarness(ignoring: .fetching.union([.answer]))
        let names = (10..<20).map { HostName.example("a\($0)") }
        harness.ask(.addNames(names.reversed(), tags: [], note: nil))
        harness.expect(names.prefix(8).map { .resolveName($0) })
        harness.resolve(names[3], [one])
        harness.expect(.resolveName(names[8]))
        harness.failToResolve(names[0])
        harness.expect(.resolveName(names[9]))
    }

    @Test func `the events of a name are read from the store`() {
        let harness = KeeperHarness()
        let id = harness.ask(.nameHistory(www, before: 7, limit: 3)).0
        harness.expect(.reading(id))
        let events = [PublishedEvent(seq: 6, at: harness.now.wall, kind: .nameAdded, name: www)]
        harness.handle(.nameEventsRead(id, events))
        harness.expect(.answer(id, .nameEvents(events)))
    }
}
