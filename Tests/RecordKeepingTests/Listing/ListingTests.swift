import Testing

@testable import RecordKeeping

/// Pages of the watch list, and searches in it.
struct ListingTests {
    private func harness(watching addresses: [IPAddress]) -> KeeperHarness {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add(addresses)
        harness.discardEffects()
        return harness
    }

    private func add(_ address: IPAddress, to harness: KeeperHarness) {
        let (id, _) = harness.ask(.add([address], tags: [], note: nil))
        harness.expect(.commit(.adding([address])), .answer(id, .added(1, already: 0)))
    }

    private func remove(_ address: IPAddress, from harness: KeeperHarness) {
        let (id, _) = harness.ask(.remove([address]))
        harness.expect(.commit(.removing([address])), .answer(id, .removed(1)))
    }

    private func label(_ addresses: [IPAddress], _ change: LabelChange, in harness: KeeperHarness) {
        let (id, _) = harness.ask(.label(addresses, change))
        harness.expect(.commit(addresses.map { .put($0) }), .answer(id, .labelled(addresses.count)))
    }

    /// Performs all turns of a listing, whose only effects are its pages and resumptions.
    ///
    /// - Returns: the pages in order.
    private func pages(
        _ harness: KeeperHarness, _ query: ListQuery, between: (Int) -> Void = { _ in }
    ) throws -> [ListPage] {
        var (id, effects) = harness.ask(.list(query))
        var pages: [ListPage] = []
        for turn in 0..<10_000 {
            for case .answerPart(id, .page(let page)) in effects { pages.append(page) }
            if case .page(let page)? = effects.answer(to: id) {
                harness.expect(.answer(id, .page(page)))
                return pages + [page]
            }
            guard effects.contains(.resume(id)) else { break }
            harness.expect(Array(repeating: .part(id), count: effects.count))
            between(turn)
            effects = harness.handle(.resumed(id))
        }
        Issue.record("the listing does not end")
        return pages
    }

    private func walk(_ harness: KeeperHarness, _ query: ListQuery, between: (Int) -> Void = { _ in }) throws
        -> [ListPage]
    {
        var (query, found) = (query, [ListPage]())
        repeat {
            let page = try #require(try pages(harness, query).last)
            found.append(page)
            between(found.count)
            query.after = page.next.flatMap { ListCursor($0.description) }
        } while query.after != nil
        return found
    }

    @Test func `pinned entries come first, then IPv4 before IPv6, each by value`() throws {
        let texts = ["9.9.9.9", "1.1.1.1", "2001:4860:4860::8888", "10.0.0.1", "2606:4700:4700::1111", "8.8.8.8"]
        let harness = harness(watching: try texts.map { try IPAddress($0) })
        label(
            [try IPAddress("2606:4700:4700::1111"), try IPAddress("8.8.8.8")], LabelChange(isPinned: true), in: harness)
        let page = try #require(try pages(harness, ListQuery(limit: 100)).first)
        #expect(
            page.entries.map(\.address.description) == [
                "8.8.8.8", "2606:4700:4700::1111", "1.1.1.1", "9.9.9.9", "10.0.0.1", "2001:4860:4860::8888",
            ])
        #expect(page.next == nil && page.total == 6)
        let pinned = try #require(try pages(harness, ListQuery(pinned: true, limit: 100)).first)
        #expect(pinned.entries.count == 2 && pinned.total == 2)
        let others = try #require(try pages(harness, ListQuery(pinned: false, limit: 1)).first)
        #expect(others.entries.map(\.address.description) == ["1.1.1.1"] && others.total == 4)
    }

    @Test(arguments: [1, 7, 100, 5_000])
    func `the pages together contain each entry of the list once`(limit: Int) throws {
        let all = addresses(limit == 1 ? 50 : 4_999)
        let harness = harness(watching: all)
        label(Array(all[10...12]), LabelChange(isPinned: true), in: harness)
        let walked = try walk(harness, ListQuery(limit: limit))
        let expected = Array(all[10...12]) + all[..<10] + all[13...]
        #expect(walked.flatMap(\.entries).map(\.address) == expected)
        #expect(walked.allSatisfy { $0.total == all.count })
        #expect(walked.dropLast().allSatisfy { $0.entries.count == limit })
        let whole = try pages(harness, ListQuery(limit: limit, isWhole: true))
        #expect(whole.flatMap(\.entries).map(\.address) == expected)
    }

    @Test func `additions and removals between pages do not make other entries disappear`() throws {
        let all = addresses(1_000)
        let harness = harness(watching: all)
        let late = addresses(1_000, from: 0x0200_0000)
        let walked = try walk(harness, ListQuery(limit: 100)) { page in
            guard page < 10 else { return }
            // Removes an entry of an earlier page, and adds one at the end.
            remove(all[page * 100 - 50], from: harness)
            add(late[page], to: harness)
        }
        let reported = walked.flatMap(\.entries).map(\.address)
        #expect(Set(reported).count == reported.count)
        #expect(Set(all).isSubset(of: reported))
    }

    @Test(arguments: [nil, EntryState.fresh])
    func `a record that expires while its page is assembled is not listed as fresh`(state: EntryState?) throws {
        let harness = KeeperHarness(ignoring: .all, settings: .unlimitedProvider)
        let all = addresses(6_000)
        var calls = harness.add(all).calls[...]
        while let call = calls.popFirst() { calls += harness.reply(to: call).calls }
        harness.pass(.seconds(300) - .milliseconds(1))
        var (id, effects) = harness.ask(.list(ListQuery(state: state, limit: 10_000)))
        var turns = 1
        while effects.contains(.resume(id)) {
            harness.pass(.milliseconds(2))
            effects = harness.handle(.resumed(id))
            turns += 1
        }
        #expect(turns > 2)
        guard case .page(let page)? = effects.answer(to: id) else {
            Issue.record("no page")
            return
        }
        #expect(page.entries.count == (state == nil ? all.count : 0))
        #expect(page.entries.allSatisfy { $0.state == .stale })
        #expect(page.entries.allSatisfy { $0.nextAttemptAt.map { $0 > harness.now.wall } ?? true })
    }

    @Test func `a page without filters takes one turn`() throws {
        let harness = harness(watching: addresses(5_000))
        for limit in [1, 100, 1_999] {
            var turns = 1
            let found = try pages(harness, ListQuery(limit: limit)) { _ in turns += 1 }
            #expect(found.map(\.entries.count) == [limit] && turns == 1)
        }
    }

    @Test func `a record that expires between two pages of a whole list is not listed as fresh`() throws {
        let harness = KeeperHarness(ignoring: .all, settings: .unlimitedProvider)
        let all = addresses(6_000)
        var calls = harness.add(all).calls[...]
        while let call = calls.popFirst() { calls += harness.reply(to: call).calls }
        harness.pass(.seconds(300) - .milliseconds(1))
        var (id, effects) = harness.ask(.list(ListQuery(limit: 3_000, isWhole: true)))
        var pages: [ListPage] = []
        while true {
            pages += effects.compactMap {
                switch $0 {
                case .answer(id, .page(let page)), .answerPart(id, .page(let page)): page
                default: nil
                }
            }
            guard effects.contains(.resume(id)) else { break }
            harness.pass(.milliseconds(2))
            effects = harness.handle(.resumed(id))
        }
        #expect(pages.map(\.entries.count) == [3_000, 3_000])
        #expect(pages.flatMap(\.entries).allSatisfy { $0.state == .stale })
    }

    @Test func `a long search takes several turns, and finds every entry that stays`() throws {
        let all = addresses(9_000)
        let harness = harness(watching: all)
        var turns = 0
        let found = try pages(harness, ListQuery(search: try Search("1.0."), limit: 10_000)) { turn in
            turns = turn + 1
            remove(all[turn], from: harness)
        }
        #expect(turns >= 4, "\(turns)")
        #expect(Set(all[10...]).isSubset(of: found.flatMap(\.entries).map(\.address)))
    }

    @Test(arguments: [(few: 3, limit: 100), (few: 250, limit: 100), (few: 9_000, limit: 8_500)])
    func `few matches among many entries are found, each once and in order`(few: Int, limit: Int) throws {
        // The matches are first in memory, in reverse order, and last in the list.
        let sought = addresses(few, from: 0x7000_0000)
        let others = addresses(Limits.entriesForPage * 2)
        let harness = harness(watching: sought.reversed() + others)
        label([sought[1]], LabelChange(isPinned: true), in: harness)
        let late = addresses(100, from: 0x0B00_0000)
        for isChanging in [false, true] {
            var query = ListQuery(search: try Search("112.0.0.0/8"), limit: limit)
            var found: [IPAddress] = []
            repeat {
                let page = try #require(
                    try pages(harness, query) { turn in
                        guard isChanging, turn < 100 else { return }
                        remove(others[turn], from: harness)
                        add(late[turn], to: harness)
                    }.last)
                #expect(page.total == few)
                found += page.entries.map(\.address)
                query.after = page.next
            } while query.after != nil
            #expect(found == [sought[1], sought[0]] + sought[2...])
        }
        // An entry that is removed before the page is complete is not on it.
        let page = try #require(
            try pages(harness, ListQuery(search: try Search("112.0.0.0/8"), limit: limit)) { turn in
                if turn == 12 { remove(sought[2], from: harness) }
            }.last)
        #expect(!page.entries.contains { $0.address == sought[2] } || few > Limits.gathered)
    }

    @Test(arguments: [1, 30, 100, 244, 245, 1_000])
    func `each page of a search has the total of all pages`(limit: Int) throws {
        let harness = harness(watching: addresses(500))
        for isWhole in [false, true] {
            let query = ListQuery(search: try Search("1.0.1."), limit: limit, isWhole: isWhole)
            let found = try isWhole ? pages(harness, query) : walk(harness, query)
            #expect(found.reduce(0) { $0 + $1.entries.count } == 244)
            #expect(found.map(\.total) == Array(repeating: 244, count: (244 + limit - 1) / limit))
        }
    }

    @Test func `later pages of a search use the total of the first one`() throws {
        let harness = harness(watching: addresses(500))
        let walked = try walk(harness, ListQuery(search: try Search("1.0.1."), limit: 100))
        #expect(walked.map(\.total) == [244, 244, 244])
        #expect(walked.map(\.entries.count) == [100, 100, 44])
        var uncounted = ListQuery(search: try Search("1.0.1."), limit: 10)
        uncounted.after = ListCursor(position: ListPosition(isPinned: false, address: addresses(500)[400]), total: nil)
        let page = try #require(try pages(harness, uncounted).first)
        #expect(page.total == 244 && page.entries.first?.address == addresses(500)[401])
    }

    @Test func `the listing of a disconnected client is discarded`() throws {
        let harness = harness(watching: addresses(5_000))
        let (id, effects) = harness.ask(.list(ListQuery(search: try Search("x"), limit: 1)), peer: 7)
        #expect(effects.contains(.resume(id)) && harness.keeper.footprint.listings == 1)
        harness.expect(.part(id))
        harness.handle(.clientLeft(PeerID(number: 7)))
        #expect(harness.keeper.footprint.listings == 0)
        harness.handle(.resumed(id))
        harness.expect()
    }

    @Test(arguments: [
        ("berlin", true), ("BERLIN", true), ("as3320", true), ("münchen", false), ("1.1.1", true), ("1.1.1.0/24", true),
        ("1.1.2.0/23", false), ("0.0.0.0/0", true), ("::ffff:1.1.1.1", true), ("dns", true), ("größe", true),
        ("GRÖSSE", false), ("GRÖßE", true), ("1.1.1.1/32", true), ("2001:db8::/32", false), ("Berlin Berlin", false),
    ])
    func `a search covers every text, and ignores case`(text: String, isFound: Bool) throws {
        let one = IPAddress(v4: 0x0101_0101)
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        label([one], LabelChange(addTags: ["DNS"], note: "von einiger Größe"), in: harness)
        let page = try #require(try pages(harness, ListQuery(search: try Search(text), limit: 10)).first)
        #expect(page.entries.count == (isFound ? 1 : 0))
    }

    @Test(arguments: [
        ("10115", true), ("host.stra", true), ("HOST", true), ("5host", false), ("Straße", true), ("STRASSE", false),
    ])
    func `a search covers the postal code and the reverse name`(text: String, isFound: Bool) throws {
        let harness = harness(watching: [IPAddress(v4: 0x0101_0101)])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.discardEffects()
        var record = Record.example
        record.zip = "10115"
        record.reverse = "Host.straße.example"
        harness.reply(to: call, record)
        harness.discardEffects()
        let page = try #require(try pages(harness, ListQuery(search: try Search(text), limit: 10)).first)
        #expect(page.entries.count == (isFound ? 1 : 0))
    }

    @Test func `each filter selects the entries that match it`() throws {
        let one = IPAddress(v4: 0x0101_0101)
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        add(try IPAddress("10.0.0.1"), to: harness)
        label([one], LabelChange(addTags: ["a"]), in: harness)
        func found(_ query: ListQuery) throws -> [String] {
            try pages(harness, query).flatMap(\.entries).map(\.address.description)
        }
        #expect(try found(ListQuery(state: .fresh, limit: 9)) == ["1.1.1.1"])
        #expect(try found(ListQuery(state: .empty, limit: 9)) == ["10.0.0.1"])
        #expect(try found(ListQuery(tag: "a", limit: 9)) == ["1.1.1.1"])
        #expect(try found(ListQuery(tag: "b", limit: 9)) == [])
        #expect(
            try found(ListQuery(changedSince: WallTime(milliseconds: 0), limit: 9)) == [], "no record has changed yet")
    }
}
