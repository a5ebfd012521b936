/// Listing the watch list, a page at a time.
///
/// A long list is looked through in turns, so that nobody waits for somebody else's search; between two turns entries may
/// come and go, and the place where it goes on is a key, so that none is missed or told twice.
extension Keeper {
    /// A listing that is not at its end.
    struct Listing: Sendable {
        let query: ListQuery
        /// How far it has looked.
        var position: ListPosition?
        /// The page that is being filled.
        var entries: [EntryView] = []
        /// The last entry on it.
        var last: ListPosition?
        /// Another entry matches, for which there is no room on the page.
        var hasMore = false
        var step = Step.filling
        /// Entries of the list that it has looked at for this page.
        var looked = 0
        /// What is known of the parts that entries have in common.
        var verdicts = Verdicts()
        /// What matches is counted in the order in which the entries stand in memory, which takes far less time than that of
        /// the list. An entry that stays is counted once.
        var count = Count.wanted
        var total: Int

        init(_ query: ListQuery) {
            self.query = query
            if !query.isFiltering || query.after?.total != nil { count = .unwanted }
            total = query.after?.total ?? 0
            position = query.after?.position
        }
    }

    enum Step: Hashable, Sendable {
        /// Looks for what belongs on the page, in the order of the list.
        case filling
        /// Counts. Where the page is still open, it gathers meanwhile what it finds.
        case counting(isPageOpen: Bool)
        case done
    }

    /// Of what matches.
    struct Count: Hashable, Sendable {
        var isWanted: Bool
        /// The slot from which it goes on.
        var next = 0
        var found = 0
        /// The page was open when counting began; once for each page.
        var hasGathered = false
        /// The slots of what was found; nil where that is too much.
        var gathered: [Int32]? = []

        static let wanted = Count(isWanted: true)
        static let unwanted = Count(isWanted: false)
    }

    mutating func list(_ query: ListQuery, for request: Request.ID, at now: Instant) {
        listings[request] = Listing(query)
        goOnListing(request, at: now)
    }

    /// One turn of a listing.
    mutating func goOnListing(_ request: Request.ID, at now: Instant) {
        guard var listing = listings.removeValue(forKey: request) else { return }
        switch listing.step {
        case .filling: fill(&listing, at: now)
        case .counting(let isPageOpen): count(&listing, isPageOpen: isPageOpen, at: now)
        case .done: break
        }
        guard listing.step == .done else {
            listings[request] = listing
            emit(.resume(request))
            return
        }
        let total = listing.query.isFiltering ? listing.total : unfilteredTotal(pinned: listing.query.pinned)
        let cursor = listing.hasMore ? listing.last.map { ListCursor(position: $0, total: total) } : nil
        let page = ListPage(entries: listing.entries, next: cursor, total: total)
        guard listing.query.isWhole, listing.hasMore else {
            emit(.answer(request, .page(page)))
            return
        }
        emit(.answerPart(request, .page(page)))
        listing.position = listing.last
        (listing.entries, listing.hasMore, listing.step) = ([], false, .filling)
        // The client may take its time.
        listing.verdicts = Verdicts()
        listings[request] = listing
        emit(.resume(request))
    }

    /// Looks at the next entries of the list for the page.
    private mutating func fill(_ listing: inout Listing, at now: Instant) {
        let positions = catalogue.positions(
            after: listing.position, isPinned: listing.query.pinned, atMost: Limits.entriesPerTurn)
        for position in positions where !listing.hasMore {
            if let number = slots.number(of: position.address),
                matches(number, slots.peek(number), in: &listing, at: now)
            {
                if listing.entries.count < listing.query.limit {
                    listing.entries.append(view(of: number, at: now))
                    listing.last = position
                } else {
                    listing.hasMore = true
                }
            }
            listing.position = position
        }
        listing.looked += positions.count
        if listing.hasMore {
            finishFilling(&listing)
        } else if positions.count < Limits.entriesPerTurn {
            // All that there are stand on the page, if it is the first.
            let isFirst = listing.query.after == nil && (listing.count.isWanted || !listing.query.isWhole)
            if isFirst, listing.query.isFiltering {
                listing.total = listing.entries.count
                listing.count.isWanted = false
            }
            finishFilling(&listing)
        } else if listing.looked >= Limits.entriesForPage, isLittleExpected(listing) {
            // All of it is found sooner in the order of memory.
            listing.count.hasGathered = true
            listing.step = .counting(isPageOpen: true)
        }
    }

    private func finishFilling(_ listing: inout Listing) {
        listing.step = listing.count.isWanted ? .counting(isPageOpen: false) : .done
        // Some of what stands on the page may have come to match since it was counted.
        listing.total = max(listing.total, listing.entries.count + (listing.hasMore ? 1 : 0))
    }

    /// So little matches, as far as can be seen, that it pays to look at everything for it; or that has to be done anyway.
    private func isLittleExpected(_ listing: Listing) -> Bool {
        guard listing.query.isFiltering, !listing.query.isWhole, !listing.count.hasGathered else { return false }
        return listing.count.isWanted || listing.total <= 2 * listing.query.limit
    }

    /// Looks at the next entries in memory for the total.
    private func count(_ listing: inout Listing, isPageOpen: Bool, at now: Instant) {
        let end = min(listing.count.next + Limits.entriesPerCount, slots.bound)
        slots.look(at: listing.count.next..<end) { number, slot in
            guard isWanted(slot, by: listing.query), matches(number, slot, in: &listing, at: now) else { return }
            listing.count.found += 1
            guard isPageOpen else { return }
            listing.count.gathered?.append(Int32(number))
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

    /// Puts on the page what belongs there of all that was found.
    private func fill(_ listing: inout Listing, from gathered: [Int32], at now: Instant) {
        var found: [(position: ListPosition, number: Int)] = []
        for number in gathered.map({ Int($0) }) where slots.isInUse(number) {
            // It may have changed since.
            let slot = slots.peek(number)
            let position = ListPosition(isPinned: slot.isPinned, address: slot.address)
            guard listing.query.after.map({ $0.position < position }) ?? true, isWanted(slot, by: listing.query),
                matches(number, slot, in: &listing, at: now)
            else { continue }
            found.append((position, number))
        }
        found.sort { $0.position < $1.position }
        let page = found.prefix(listing.query.limit)
        listing.entries = page.map { view(of: $0.number, at: now) }
        listing.last = page.last?.position
        listing.hasMore = found.count > page.count
        if listing.query.after == nil { listing.total = found.count }
        finishFilling(&listing)
    }

    private func isWanted(_ slot: PackedSlot, by query: ListQuery) -> Bool {
        query.pinned.map { $0 == slot.isPinned } ?? true
    }

    private func matches(_ number: Int, _ slot: PackedSlot, in listing: inout Listing, at now: Instant) -> Bool {
        guard slot.isWatched else { return false }
        if let tag = listing.query.tag, slots.common.labels[slot.label]?.value.tags.contains(tag) != true {
            return false
        }
        if let since = listing.query.changedSince, slot.changedAt.map({ $0 < since }) ?? true { return false }
        if let state = listing.query.state, self.state(of: number, at: now) != state { return false }
        return listing.query.search?.matches(slot, slots.common, &listing.verdicts) ?? true
    }

    private func unfilteredTotal(pinned: Bool?) -> Int {
        switch pinned {
        case nil: tally.watched
        case true?: tally.pinned
        case false?: tally.watched - tally.pinned
        }
    }
}
