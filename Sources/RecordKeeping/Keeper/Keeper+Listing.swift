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
        /// The page is full, or there are no more entries.
        var isFilled = false
        /// What is known of the parts that entries have in common.
        var verdicts = Verdicts()
        /// What matches is counted, once the page is filled: in the order in which the entries stand in memory, which takes far
        /// less time than that of the list. An entry that stays is counted once.
        var isCounting: Bool
        /// The first that has not been looked at.
        var uncounted = 0
        var total: Int

        init(_ query: ListQuery) {
            self.query = query
            isCounting = query.isFiltering && query.after?.total == nil
            total = query.after?.total ?? 0
            position = query.after?.position
        }
    }

    mutating func list(_ query: ListQuery, for request: Request.ID, at now: Instant) {
        listings[request] = Listing(query)
        goOnListing(request, at: now)
    }

    /// One turn of a listing.
    mutating func goOnListing(_ request: Request.ID, at now: Instant) {
        guard var listing = listings.removeValue(forKey: request) else { return }
        if !listing.isFilled {
            fill(&listing, at: now)
        } else if listing.isCounting {
            count(&listing, at: now)
        }
        guard listing.isFilled, !listing.isCounting else {
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
        (listing.entries, listing.hasMore, listing.isFilled) = ([], false, false)
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
            if let number = slots.number(of: position.address), matches(number, in: &listing, at: now) {
                if listing.entries.count < listing.query.limit {
                    listing.entries.append(view(of: number, at: now))
                    listing.last = position
                } else {
                    listing.hasMore = true
                }
            }
            listing.position = position
        }
        listing.isFilled = listing.hasMore || positions.count < Limits.entriesPerTurn
        if listing.isFilled, !listing.hasMore, listing.isCounting, listing.query.after == nil {
            // All that there are stand on the page.
            listing.total = listing.entries.count
            listing.isCounting = false
        }
    }

    /// Looks at the next entries in memory for the total.
    private func count(_ listing: inout Listing, at now: Instant) {
        let end = min(listing.uncounted + Limits.entriesPerTurn, slots.bound)
        for number in listing.uncounted..<end where slots.isInUse(number) {
            let isWanted = listing.query.pinned.map { $0 == slots.peek(number).isPinned } ?? true
            if isWanted, matches(number, in: &listing, at: now) { listing.total += 1 }
        }
        listing.uncounted = end
        listing.isCounting = end < slots.bound
        // Some of what stands on the page may have changed since.
        if !listing.isCounting { listing.total = max(listing.total, listing.entries.count + (listing.hasMore ? 1 : 0)) }
    }

    private func matches(_ number: Int, in listing: inout Listing, at now: Instant) -> Bool {
        let (slot, query) = (slots.peek(number), listing.query)
        guard slot.isWatched else { return false }
        if let tag = query.tag, slots.common.labels[slot.label]?.value.tags.contains(tag) != true { return false }
        if let since = query.changedSince, slot.changedAt.map({ $0 < since }) ?? true { return false }
        if let state = query.state, self.state(of: number, at: now) != state { return false }
        return query.search?.matches(slot, slots.common, &listing.verdicts) ?? true
    }

    private func unfilteredTotal(pinned: Bool?) -> Int {
        switch pinned {
        case nil: tally.watched
        case true?: tally.pinned
        case false?: tally.watched - tally.pinned
        }
    }
}
