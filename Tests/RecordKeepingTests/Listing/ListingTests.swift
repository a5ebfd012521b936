import Testing

@testable import RecordKeeping

/// Pages of the watch list, and searches in it.
struct ListingTests {
    /// Performs all turns of a listing.
    ///
    /// - Returns: the pages in order.
    private func pages(
        _ harness: KeeperHarness, _ query: ListQuery, between: (Int) -> Void = { _ in }
    ) throws -> [ListPage] {
        var (id, effects) = harness.ask(.list(query))
        var pages: [ListPage] = []
        for turn in 0..<10_000 {
            for case .answerPart(id, .page(let page)) in effects { pages.append(page) }
            if case .page(let page)? = effects.answer(to: id) { return pages + [page] }
            guard effects.contains(.resume(id)) else { break }
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
        let harness = KeeperHarness(ignoring: .all)
        let texts = ["9.9.9.9", "1.1.1.1", "2001:4860:4860::8888", "10.0.0.1", "2606:4700:4700::1111", "8.8.8.8"]
        harness.add(try texts.map { try IPAddress($0) })
        harness.ask(
            .label([try IPAddress("2606:4700:4700::1111"), try IPAddress("8.8.8.8")], LabelChange(isPinned: true)))
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
        let harness = KeeperHarness(ignoring: .all)
        let all = addresses(limit == 1 ? 50 : 4_999)
        harness.add(all)
        harness.ask(.label(Array(all[10...12]), LabelChange(isPinned: true)))
        let walked = try walk(harness, ListQuery(limit: limit))
        let expected = Array(all[10...12]) + all[..<10] + all[13...]
        #expect(walked.flatMap(\.entries).map(\.address) == expected)
        #expect(walked.allSatisfy { $0.total == all.count })
        #expect(walked.dropLast().allSatisfy { $0.entries.count == limit })
        let whole = try pages(harness, ListQuery(limit: limit, isWhole: true))
        #expect(whole.flatMap(\.entries).map(\.address) == expected)
    }

    @Test func `additions and removals between pages do not make other entries disappear`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let all = addresses(1_000)
        harness.add(all)
        let late = addresses(1_000, from: 0x0200_0000)
        let walked = try walk(harness, ListQuery(limit: 100)) { page in
            guard page < 10 else { return }
            // Removes an entry of an earlier page, and adds one at the end.
            harness.ask(.remove([all[page * 100 - 50]]))
            harness.add([late[page]])
        }
        let reported = walked.flatMap(\.entries).map(\.address)
        #expect(Set(reported).count == reported.count)
        #expect(Set(all).isSubset(of: reported))
    }

    @Test func `a long search takes several turns, and finds every entry that stays`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let all = addresses(9_000)
        harness.add(all)
        var turns = 0
        let found = try pages(harness, ListQuery(search: try Search("1.0."), limit: 10_000)) { turn in
            turns = turn + 1
            harness.ask(.remove([all[turn]]))
        }
        #expect(turns >= 4, "\(turns)")
        #expect(Set(all[10...]).isSubset(of: found.flatMap(\.entries).map(\.address)))
    }

    @Test(arguments: [(few: 3, limit: 100), (few: 250, limit: 100), (few: 9_000, limit: 8_500)])
    func `few matches among many entries are found, each once and in order`(few: Int, limit: Int) throws {
        let harness = KeeperHarness(ignoring: .all)
        // The matches are first in memory, in reverse order, and last in the list.
        let sought = addresses(few, from: 0x7000_0000)
        harness.add(sought.reversed())
        let others = addresses(Limits.entriesForPage * 2)
        harness.add(others)
        harness.ask(.label([sought[1]], LabelChange(isPinned: true)))
        let late = addresses(100, from: 0x0B00_0000)
        for isChanging in [false, true] {
            var query = ListQuery(search: try Search("112.0.0.0/8"), limit: limit)
            var found: [IPAddress] = []
            repeat {
                let page = try #require(
                    try pages(harness, query) { turn in
                        guard isChanging, turn < 100 else { return }
                        harness.ask(.remove([others[turn]]))
                        harness.add([late[turn]])
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
                if turn == 12 { harness.ask(.remove([sought[2]])) }
            }.last)
        #expect(!page.entries.contains { $0.address == sought[2] } || few > Limits.gathered)
    }

    @Test(arguments: [1, 30, 100, 244, 245, 1_000])
    func `each page of a search has the total of all pages`(limit: Int) throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add(addresses(500))
        for isWhole in [false, true] {
            let query = ListQuery(search: try Search("1.0.1."), limit: limit, isWhole: isWhole)
            let found = try isWhole ? pages(harness, query) : walk(harness, query)
            #expect(found.reduce(0) { $0 + $1.entries.count } == 244)
            #expect(found.map(\.total) == Array(repeating: 244, count: (244 + limit - 1) / limit))
        }
    }

    @Test func `later pages of a search use the total of the first one`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add(addresses(500))
        let walked = try walk(harness, ListQuery(search: try Search("1.0.1."), limit: 100))
        #expect(walked.map(\.total) == [244, 244, 244])
        #expect(walked.map(\.entries.count) == [100, 100, 44])
        var uncounted = ListQuery(search: try Search("1.0.1."), limit: 10)
        uncounted.after = ListCursor(position: ListPosition(isPinned: false, address: addresses(500)[400]), total: nil)
        let page = try #require(try pages(harness, uncounted).first)
        #expect(page.total == 244 && page.entries.first?.address == addresses(500)[401])
    }

    @Test func `the listing of a disconnected client is discarded`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add(addresses(5_000))
        let (id, effects) = harness.ask(.list(ListQuery(search: try Search("x"), limit: 1)), peer: 7)
        #expect(effects.contains(.resume(id)) && harness.keeper.footprint.listings == 1)
        harness.handle(.clientLeft(PeerID(number: 7)))
        #expect(harness.keeper.footprint.listings == 0)
        #expect(harness.handle(.resumed(id)).answer(to: id) == nil)
    }

    @Test(arguments: [
        ("berlin", true), ("BERLIN", true), ("as3320", true), ("münchen", false), ("1.1.1", true), ("1.1.1.0/24", true),
        ("1.1.2.0/23", false), ("0.0.0.0/0", true), ("::ffff:1.1.1.1", true), ("dns", true), ("größe", true),
        ("GRÖSSE", false), ("GRÖßE", true), ("1.1.1.1/32", true), ("2001:db8::/32", false), ("Berlin Berlin", false),
    ])
    func `a search covers every text, and ignores case`(text: String, isFound: Bool) throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: IPAddress(v4: 0x0101_0101))
        harness.ask(
            .label([IPAddress(v4: 0x0101_0101)], LabelChange(addTags: ["DNS"], note: "von einiger Größe")))
        let page = try #require(try pages(harness, ListQuery(search: try Search(text), limit: 10)).first)
        #expect(page.entries.count == (isFound ? 1 : 0))
    }

    @Test func `each filter selects the entries that match it`() throws {
        let one = IPAddress(v4: 0x0101_0101)
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        harness.add([try IPAddress("10.0.0.1")])
        harness.ask(.label([one], LabelChange(addTags: ["a"])))
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
