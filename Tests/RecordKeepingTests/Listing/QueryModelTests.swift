import Testing

@testable import RecordKeeping

/// Filters, orders and counts, compared with plain functions of the entries.
struct QueryModelTests {
    private let harness = KeeperHarness(ignoring: .all, settings: .unlimitedProvider)
    /// All entries, in the order of their addresses.
    private let entries: [EntryView]

    /// Watches entries with all combinations of labels, records, empty answers and missing answers.
    init() throws {
        var random = Random(seed: 7)
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        let all = addresses(400) + (1...40).map { IPAddress(high: 0x2a00_1450_0000_0000, low: $0) }
        var calls: [Call] = harness.add(all + [try IPAddress("10.0.0.1")]).calls
        calls += harness.pass(Limits.gather).calls
        var answered = 0
        while let call = calls.popLast() {
            var answers: [IPAddress: ElementAnswer] = [:]
            for address in call.addresses {
                answered += 1
                if answered > 400 { continue }
                var record = Record()
                record.countryCode = pick(["DE", "FR", "US", nil])
                record.country = record.countryCode.map {
                    ["DE": "Germany", "FR": "France", "US": "United States"][$0]!
                }
                record.city = pick(["Berlin", "Paris", "Zürich", "Zu\u{308}rich", nil])
                record.offset = pick([-18_000, 0, 3_600, nil])
                record.isp = pick(["", "a/b", "Ünï", "Telekom", "\u{301}odd"])
                if record.isp == "" { record.isp = nil }
                record.as = pick(["AS3320 Deutsche Telekom AG", "AS15169 Google LLC", "none", nil])
                record.zip = pick(["10115", "75001", nil])
                record.lat = pick([52.5, -1, 48.85, nil])
                record.lon = record.lat
                record.mobile = pick([true, false, nil])
                record.proxy = pick([true, false])
                record.hosting = pick([true, false, nil])
                answers[address] = .answered(
                    pick([true, true, true, false]) ? .record(record) : .empty(reason: "none"))
            }
            let quota = ReportedQuota(remaining: nil, resetsIn: nil)
            calls += harness.handle(.replied(call.id, Reply(sentAt: harness.now, answers: answers, quota: quota))).calls
        }
        for (tags, addresses) in [(["a"], all[..<40]), (["a", "b"], all[40..<60]), (["c"], all[60..<90])] {
            harness.ask(.label(Array(addresses), LabelChange(addTags: Set(tags))))
        }
        harness.ask(.label(Array(all[20..<30] + all[410..<415]), LabelChange(isPinned: true)))
        let (id, effects) = harness.ask(.list(ListQuery(limit: 10_000)))
        guard case .page(let page)? = effects.answer(to: id) else { throw Incomplete() }
        entries = page.entries
        #expect(entries.count == all.count + 1)
        #expect(Set(entries.map(\.state)).isSuperset(of: [.fresh, .empty]))
    }

    private struct Incomplete: Error {}

    /// Returns the response to a request, after all turns.
    private func response(_ body: Request.Body) -> (pages: [ListPage], last: Response?) {
        var (id, effects) = harness.ask(body)
        var pages: [ListPage] = []
        while effects.answer(to: id) == nil {
            for case .answerPart(id, .page(let page)) in effects { pages.append(page) }
            guard effects.contains(.resume(id)) else { return (pages, nil) }
            effects = harness.handle(.resumed(id))
        }
        if case .page(let page)? = effects.answer(to: id) { pages.append(page) }
        return (pages, effects.answer(to: id))
    }

    private func walk(_ query: ListQuery) throws -> [ListPage] {
        var (query, walked) = (query, [ListPage]())
        repeat {
            let page = try #require(response(.list(query)).pages.last)
            walked.append(page)
            query.after = try page.next.map { try #require(ListCursor($0.description)) }
        } while query.after != nil
        return walked
    }

    // MARK: Filters

    private static func model(_ filter: EntryFilter, _ view: EntryView) -> Bool {
        let record = view.entry.scan?.answer.record
        let tags = Set(view.entry.watch?.tags ?? [])
        return (filter.states?.contains(view.state) ?? true) && (filter.tags.map { !$0.isDisjoint(with: tags) } ?? true)
            && filter.notTags.isDisjoint(with: tags)
            && (filter.isPinned.map { $0 == view.entry.watch?.isPinned } ?? true)
            && (filter.countryCodes.map { codes in record?.countryCode.map(codes.contains) ?? false } ?? true)
            && !(record?.countryCode.map(filter.notCountryCodes.contains) ?? false)
            && (filter.asns.map { asns in record?.asn.map(asns.contains) ?? false } ?? true)
            && (filter.flags.map { flags in
                flags.contains { flag in
                    switch flag {
                    case .mobile: record?.mobile == true
                    case .proxy: record?.proxy == true
                    case .hosting: record?.hosting == true
                    }
                }
            } ?? true)
    }

    private static let filters: [EntryFilter] = [
        EntryFilter { $0.states = [.fresh] }, EntryFilter { $0.states = [.empty, .loading, .failed] },
        EntryFilter { $0.states = [] }, EntryFilter { $0.tags = ["a", "c"] }, EntryFilter { $0.tags = [] },
        EntryFilter { $0.notTags = ["b"] },
        EntryFilter {
            $0.tags = ["a"]
            $0.notTags = ["b", "x"]
        },
        EntryFilter { $0.isPinned = true },
        EntryFilter {
            $0.isPinned = false
            $0.tags = ["a"]
        },
        EntryFilter { $0.countryCodes = ["DE", "FR"] }, EntryFilter { $0.countryCodes = [] },
        EntryFilter { $0.notCountryCodes = ["DE"] }, EntryFilter { $0.notCountryCodes = ["DE", "FR", "US", "IT"] },
        EntryFilter {
            $0.countryCodes = ["DE", "FR"]
            $0.notCountryCodes = ["FR", "US"]
        },
        EntryFilter {
            $0.countryCodes = []
            $0.notCountryCodes = ["FR"]
        },
        EntryFilter { $0.asns = [3_320] }, EntryFilter { $0.asns = [15_169, 1] },
        EntryFilter { $0.flags = [.mobile] }, EntryFilter { $0.flags = [.proxy, .hosting] },
        EntryFilter {
            $0.flags = [.hosting]
            $0.countryCodes = ["US"]
            $0.asns = [3_320, 15_169]
        },
    ]

    @Test(arguments: filters.indices) func `a filter selects what its conditions say`(index: Int) throws {
        let filter = Self.filters[index]
        let expected = entries.filter { Self.model(filter, $0) }
        for limit in [7, 1_000] {
            let walked = try walk(ListQuery(filters: [filter], limit: limit))
            #expect(walked.flatMap(\.entries).map(\.address) == expected.map(\.address))
            #expect(walked.allSatisfy { $0.total == expected.count })
        }
    }

    @Test func `entries without a record or a country are in no excluded country`() throws {
        let all = ["DE", "FR", "US"]
        let filter = EntryFilter { $0.notCountryCodes = Set(all) }
        let selected = try walk(ListQuery(filters: [filter], limit: 1_000)).flatMap(\.entries)
        #expect(selected.contains { $0.entry.scan == nil })
        #expect(selected.contains { $0.entry.scan?.answer.record != nil })
        #expect(selected.allSatisfy { $0.entry.scan?.answer.record?.countryCode == nil })
        #expect(
            try walk(ListQuery(filters: [EntryFilter { $0.countryCodes = Set(all) }], limit: 1_000))[0].total
                == entries.count - selected.count)
    }

    @Test func `two filters select what both select`() throws {
        for first in Self.filters {
            for second in Self.filters {
                let expected = entries.filter { Self.model(first, $0) && Self.model(second, $0) }
                let page = try #require(try walk(ListQuery(filters: [first, second], limit: 1_000)).first)
                #expect(page.entries.map(\.address) == expected.map(\.address))
                #expect(page.total == expected.count)
            }
        }
    }

    // MARK: Orders

    /// Returns the addresses in the order of a list.
    private static func ordered(_ entries: [EntryView], by order: FieldOrder) -> [IPAddress] {
        func value(_ view: EntryView) -> SortValue { SortValue(view.entry.scan?.answer.record?[order.field]) }
        func position(_ view: EntryView) -> ListPosition {
            ListPosition(isPinned: view.entry.watch?.isPinned == true, address: view.address)
        }
        return [true, false].flatMap { isPinned in
            let part = entries.filter { position($0).isPinned == isPinned }
            let present = part.filter { value($0) != .missing }.sorted { a, b in
                if value(a) == value(b) { return position(a) < position(b) }
                return order.isDescending ? value(a) > value(b) : value(a) < value(b)
            }
            return present + part.filter { value($0) == .missing }
        }.map(\.address)
    }

    @Test(arguments: Record.Field.allCases, [false, true])
    func `a list is ordered by a field, with pinned entries first and missing values last`(
        field: Record.Field, isDescending: Bool
    ) throws {
        let order = FieldOrder(field, isDescending: isDescending)
        let expected = Self.ordered(entries, by: order)
        for limit in [1, 9, 440, 441, 10_000] where limit > 1 || field == .isp {
            let walked = try walk(ListQuery(sort: order, limit: limit))
            #expect(walked.flatMap(\.entries).map(\.address) == expected)
            #expect(walked.allSatisfy { $0.total == expected.count })
            let whole = response(.list(ListQuery(sort: order, limit: limit, isWhole: true))).pages
            #expect(whole.flatMap(\.entries).map(\.address) == expected)
            #expect(whole.dropLast().allSatisfy { $0.entries.count == limit })
        }
        let filter = EntryFilter { $0.notTags = ["a"] }
        let some = Self.ordered(entries.filter { Self.model(filter, $0) }, by: order)
        let walked = try walk(ListQuery(filters: [filter], sort: order, limit: 50))
        #expect(walked.flatMap(\.entries).map(\.address) == some)
        #expect(walked.allSatisfy { $0.total == some.count })
    }

    // MARK: Histories

    /// Returns the pages of a history, from a store with these changes that returns at most seven at once.
    private func pages(
        _ query: ChangeQuery, matching filter: EntryFilter?, of changes: [PublishedEvent]
    ) throws -> [[PublishedEvent]] {
        var (query, pages) = (query, [[PublishedEvent]]())
        repeat {
            var (id, effects) = harness.ask(.history(query, matching: filter))
            while effects.answer(to: id) == nil {
                guard case .readChanges(id, let read)? = effects.first else { throw Incomplete() }
                let rest = changes.filter { $0.seq ?? 0 < read.before ?? .max }
                let some = rest.prefix(min(read.limit, 7))
                let next = rest.count > some.count ? some.last?.seq : nil
                effects = harness.handle(.changesRead(id, ChangePage(Array(some), next: next)))
            }
            guard case .changes(let page)? = effects.answer(to: id) else { throw Incomplete() }
            pages.append(page.events)
            query.before = page.next
        } while query.before != nil
        return pages
    }

    @Test(arguments: filters.indices) func `a history has the changes of the entries that match`(index: Int) throws {
        var random = Random(seed: UInt64(index))
        let all = entries.map(\.address) + addresses(40, from: 0x0200_0000)
        let changes = (1...120).reversed().map { seq in
            PublishedEvent(seq: seq, at: harness.now.wall, kind: .changed, address: all.randomElement(using: &random))
        }
        let views = Dictionary(uniqueKeysWithValues: entries.map { ($0.address, $0) })
        for condition in [Self.filters[index], nil] {
            let expected = changes.filter { change in
                guard let view = change.address.flatMap({ views[$0] }) else { return false }
                return condition.map { Self.model($0, view) } ?? true
            }
            for limit in [1, 5, 1_000] {
                let pages = try pages(ChangeQuery(limit: limit), matching: condition, of: changes)
                #expect(pages.flatMap { $0 } == expected)
                #expect(pages.allSatisfy { $0.count <= limit } && pages.dropLast().allSatisfy { $0.count == limit })
            }
        }
    }

    // MARK: Counts

    private static let keys: [CountKey] =
        Record.Field.allCases.map { .field($0) } + [.state, .tag, .origin, .place]

    private static func model(_ key: CountKey, _ view: EntryView) -> [String] {
        let record = view.entry.scan?.answer.record
        switch key {
        case .field(let field): return [record?.text(of: field) ?? ""]
        case .state: return [view.state.rawValue]
        case .tag: return view.entry.watch?.tags.isEmpty == false ? view.entry.watch?.tags ?? [] : [""]
        case .origin: return [view.entry.watch?.origin.rawValue ?? ""]
        case .place: return [[record?.city, record?.country].compactMap { $0 }.joined(separator: ", ")]
        }
    }

    @Test(arguments: keys.indices) func `a count has the size of each group`(index: Int) throws {
        let key = Self.keys[index]
        for filter in [nil, EntryFilter { $0.countryCodes = ["DE"] }, EntryFilter { $0.states = [] }] {
            let selected = entries.filter { view in filter.map { Self.model($0, view) } ?? true }
            var sizes: [String: Int] = [:]
            for view in selected {
                for text in Self.model(key, view) { sizes[text, default: 0] += 1 }
            }
            let expected = sizes.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
            for limit in [1, 2, 10_000] {
                guard
                    case .counts(let counts)? = response(
                        .count(CountQuery(key: key, filter: filter, limit: limit))
                    ).last
                else { throw Incomplete() }
                #expect(counts.groups.map(\.key) == expected.prefix(limit).map(\.key))
                #expect(counts.groups.map(\.count) == expected.prefix(limit).map(\.value))
                #expect(counts.total == selected.count)
                #expect(counts.others == expected.dropFirst(limit).reduce(0) { $0 + $1.value })
                #expect(counts.groups.allSatisfy { key == .place || $0.lat == nil && $0.lon == nil })
            }
        }
    }

    @Test func `a place has the coordinates of one of its entries`() throws {
        guard case .counts(let counts)? = response(.count(CountQuery(key: .place, limit: 100))).last else {
            throw Incomplete()
        }
        for group in counts.groups {
            let own = entries.filter { Self.model(.place, $0) == [group.key] }.map { $0.entry.scan?.answer.record?.lat }
            #expect(own.contains(group.lat))
        }
    }
}
