/// Replies to `List` requests, in pages.
///
/// A long list is searched in turns, so that other clients are served in between. Entries may be added and removed
/// between two turns. A listing continues from a key, so that it neither skips nor repeats an entry that remains on the
/// watch list.
extension Keeper {
    /// The progress of a `List` request.
    struct Listing: Sendable {
        let query: ListQuery
        /// The position of the last entry that was checked in list order.
        var position: ListPosition?
        /// The entries of the current page.
        var entries: [EntryView] = []
        /// The position of the last entry on the page.
        var last: ListPosition?
        /// Whether another entry matches, but does not fit on the page.
        var hasMore = false
        var step = Step.filling
        /// The number of turns for this page.
        var turns = 0
        /// The number of entries that were checked in list order for this page.
        var looked = 0
        /// The filters, with their results for interned values.
        var matcher: EntryMatcher
        /// The progress of counting the matches. Entries are counted in memory order, which takes far less time than
        /// list order. An entry that remains on the watch list is counted once.
        var count = Count.wanted
        /// The progress of ordering the entries by a field; nil if they are in the order of their addresses.
        var sorting: Sorting?
        /// The number of matches on all pages.
        var total: Int

        init(_ query: ListQuery) {
            self.query = query
            matcher = EntryMatcher(query.filters)
            if !query.isFiltering || query.after?.total != nil { count = .unwanted }
            total = query.after?.total ?? 0
            position = query.after?.position
            guard let order = query.sort else { return }
            sorting = Sorting(order, after: query.after?.key, in: query)
            step = .sorting
        }
    }

    enum Step: Hashable, Sendable {
        /// Orders the entries by a field, for the page.
        case sorting
        /// Checks entries in list order for the page.
        case filling
        /// Counts the matches. If the page is still open, also collects them for the page.
        case counting(isPageOpen: Bool)
        case done
    }

    /// The progress of counting the matches.
    struct Count: Hashable, Sendable {
        /// Whether the number of matches is still needed.
        var isWanted: Bool
        /// The slot from which to continue.
        var next = 0
        var found = 0
        /// Whether a count for the open page has begun, which happens at most once per page.
        var hasGathered = false
        /// The slots of the matches; nil if there are too many (`Limits.gathered`).
        var gathered: [Int32]? = []

        static let wanted = Count(isWanted: true)
        static let unwanted = Count(isWanted: false)
    }

    /// Begins to answer a `List` request.
    mutating func list(_ query: ListQuery, for request: Request.ID, at now: Instant) {
        listings[request] = Listing(query)
        goOnListing(request, at: now)
    }

    /// Continues a listing for one turn.
    mutating func goOnListing(_ request: Request.ID, at now: Instant) {
        guard var listing = listings.removeValue(forKey: request) else { return }
        listing.turns += 1
        switch listing.step {
        case .sorting: sort(&listing, at: now)
        case .filling: fill(&listing, at: now)
        case .counting(let isPageOpen): count(&listing, isPageOpen: isPageOpen, at: now)
        case .done: break
        }
        guard listing.step == .done else {
            listings[request] = listing
            emit(.resume(request))
            return
        }
        update(&listing, at: now)
        let total = listing.query.isFiltering ? listing.total : unfilteredTotal(pinned: listing.query.isPinned)
        let cursor = listing.hasMore ? listing.cursor(total: total) : nil
        let page = ListPage(entries: listing.entries, next: cursor, total: total)
        guard listing.query.isWhole, listing.hasMore else {
            return emit(.answer(request, .page(page)))
        }
        emit(.answerPart(request, .page(page)))
        listing.position = listing.last
        (listing.entries, listing.hasMore, listing.turns) = ([], false, 0)
        listing.step = listing.sorting == nil ? .filling : .sorting
        // The client may take a long time to read the page.
        listing.matcher.forgetVerdicts()
        listings[request] = listing
        emit(.resume(request))
    }

    /// Updates the entries on the page whose record has expired, or whose next attempt has become due, since an earlier
    /// turn added them to the page. Entries that no longer match are left out.
    private func update(_ listing: inout Listing, at now: Instant) {
        // Entries that were added in this turn are up to date.
        guard listing.turns > 1, listing.entries.contains(where: { isOutdated($0, at: now) }) else { return }
        var attempt = NextAttempt()
        var entries: [EntryView] = []
        entries.reserveCapacity(listing.entries.count)
        for entry in listing.entries {
            guard isOutdated(entry, at: now) else {
                entries.append(entry)
                continue
            }
            guard let index = slots.index(of: entry.address), matches(index, slots.peek(index), in: &listing, at: now)
            else { continue }
            entries.append(view(of: index, at: now, sharing: &attempt))
        }
        listing.total -= listing.entries.count - entries.count
        listing.entries = entries
    }

    private func isOutdated(_ entry: EntryView, at now: Instant) -> Bool {
        if entry.state == .fresh, let scan = entry.entry.scan {
            return !validity.end(ofRecordFrom: scan.at.boot, version: scan.version).isAfter(now.boot)
        }
        return entry.nextAttemptAt.map { $0 < now.wall } ?? false
    }

    /// The number of addresses that are looked up together.
    private static let lookupsAtOnce = 64

    /// Checks the next entries in list order, and adds those that match the query to the page.
    private mutating func fill(_ listing: inout Listing, at now: Instant) {
        let isFiltering = listing.query.isFiltering
        // Without filters, one extra entry shows whether there is another page.
        let maxPositions =
            isFiltering
            ? Limits.entriesPerTurn : min(Limits.entriesPerTurn, listing.query.limit - listing.entries.count + 1)
        let positions = listOrder.positions(
            after: listing.position, isPinned: listing.query.isPinned, atMost: maxPositions)
        var attempt = NextAttempt()
        if !isFiltering, listing.entries.isEmpty {
            listing.entries.reserveCapacity(min(listing.query.limit, positions.count))
        }
        var rest = positions[...]
        while !rest.isEmpty, !listing.hasMore {
            let some = rest.prefix(Self.lookupsAtOnce)
            rest = rest.dropFirst(some.count)
            // A separate loop, so that the processor can overlap the cache misses of several lookups.
            var indices: [Int?] = []
            indices.reserveCapacity(some.count)
            for position in some { indices.append(slots.index(of: position.address)) }
            for (position, index) in zip(some, indices) where !listing.hasMore {
                if let index, matches(index, slots.peek(index), in: &listing, at: now) {
                    if listing.entries.count < listing.query.limit {
                        listing.entries.append(view(of: index, at: now, sharing: &attempt))
                        listing.last = position
                    } else {
                        listing.hasMore = true
                    }
                }
                listing.position = position
            }
        }
        listing.looked += positions.count
        if listing.hasMore {
            finishFilling(&listing)
        } else if positions.count < maxPositions {
            // If this is the first page, it contains all matches.
            let isFirst = listing.query.after == nil && (listing.count.isWanted || !listing.query.isWhole)
            if isFirst, listing.query.isFiltering {
                listing.total = listing.entries.count
                listing.count.isWanted = false
            }
            finishFilling(&listing)
        } else if listing.looked >= Limits.entriesForPage, expectsFewMatches(listing) {
            // In memory order, all matches are found sooner.
            listing.count.hasGathered = true
            listing.step = .counting(isPageOpen: true)
        }
    }

    private func finishFilling(_ listing: inout Listing) {
        listing.step = listing.count.isWanted ? .counting(isPageOpen: false) : .done
        // Entries on the page may have begun to match after they were counted.
        listing.total = max(listing.total, listing.entries.count + (listing.hasMore ? 1 : 0))
    }

    /// Whether so few matches are expected that checking all entries is faster, or whether all matches have to be
    /// counted anyway.
    private func expectsFewMatches(_ listing: Listing) -> Bool {
        guard listing.query.isFiltering, !listing.query.isWhole, !listing.count.hasGathered else { return false }
        return listing.count.isWanted || listing.total <= 2 * listing.query.limit
    }

    /// Checks the next entries in memory order, and adds those that match the query to the total.
    private func count(_ listing: inout Listing, isPageOpen: Bool, at now: Instant) {
        let end = min(listing.count.next + Limits.entriesPerCount, slots.bound)
        slots.look(at: listing.count.next..<end) { index, slot in
            guard matches(index, slot, in: &listing, at: now) else { return }
            listing.count.found += 1
            guard isPageOpen else { return }
            listing.count.gathered?.append(Int32(index))
            if listing.count.found == Limits.gathered { listing.count.gathered = nil }
        }
        listing.count.next = end
        if isPageOpen, listing.count.gathered == nil, !listing.count.isWanted {
            listing.step = .filling
            return
        }
        guard end == slots.bound else { return }
        if listing.count.isWanted { listing.total = listing.count.found }
        listing.count.isWanted = false
        guard isPageOpen else { return finishFilling(&listing) }
        if let gathered = listing.count.gathered {
            fill(&listing, from: gathered, at: now)
        } else {
            listing.step = .filling
        }
    }

    /// Fills the page from all collected matches.
    private func fill(_ listing: inout Listing, from gathered: [Int32], at now: Instant) {
        var found: [(position: ListPosition, index: Int)] = []
        for index in gathered.map({ Int($0) }) where slots.isInUse(index) {
            // The entry may have changed since it was collected.
            let slot = slots.peek(index)
            let position = ListPosition(isPinned: slot.isPinned, address: slot.address)
            guard listing.query.after.map({ $0.position < position }) ?? true,
                matches(index, slot, in: &listing, at: now)
            else { continue }
            found.append((position, index))
        }
        found.sort { $0.position < $1.position }
        let page = found.prefix(listing.query.limit)
        var attempt = NextAttempt()
        listing.entries = page.map { view(of: $0.index, at: now, sharing: &attempt) }
        listing.last = page.last?.position
        listing.hasMore = found.count > page.count
        if listing.query.after == nil { listing.total = found.count }
        finishFilling(&listing)
    }

    func matches(_ index: Int, _ slot: PackedSlot, in listing: inout Listing, at now: Instant) -> Bool {
        matches(index, slot, &listing.matcher, at: now)
    }

    /// Returns whether an entry is watched and matches all filters, including their states.
    func matches(_ index: Int, _ slot: PackedSlot, _ matcher: inout EntryMatcher, at now: Instant) -> Bool {
        if let states = matcher.states, !states.contains(state(of: index, at: now)) { return false }
        return matcher.matches(index, slot, slots.ownTexts, slots.internedValues)
    }

    private func unfilteredTotal(pinned: Bool?) -> Int {
        switch pinned {
        case nil: tally.watched
        case true?: tally.pinned
        case false?: tally.watched - tally.pinned
        }
    }
}
