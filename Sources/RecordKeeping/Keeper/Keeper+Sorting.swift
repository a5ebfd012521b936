/// Lists that are ordered by a field of the record.
///
/// There is no index of the fields. For each page, all entries are checked in memory order, and the keys that come next
/// are collected. For replies that consist of many pages, several pages are collected at once.
extension Keeper {
    /// The progress of one pass over the entries.
    struct Sorting: Sendable {
        let field: Record.Field
        /// The slot from which to continue.
        var next = 0
        /// The number of matches so far.
        var found = 0
        var lowest: LowestKeys
        /// The sort values of the interned parts of records so far.
        var results: RecordResults<SortValue>
        /// The keys after this page that the last pass has found.
        var sorted: ArraySlice<SortKey> = []
        /// The key of the last entry of the page.
        var last: SortKey?

        init(_ field: Record.Field, after start: SortKey?, in query: ListQuery) {
            self.field = field
            last = start
            results = RecordResults(of: field.part)
            lowest = LowestKeys(after: start, capacity: query.isWhole ? 5 * query.limit : query.limit + 1)
        }
    }

    /// Adds the next entries to the keys, and fills the page if they were the last ones.
    func sort(_ listing: inout Listing, at now: Instant) {
        guard var sorting = listing.sorting else { return listing.step = .done }
        if sorting.sorted.isEmpty {
            let end = min(sorting.next + Limits.entriesPerCount, slots.bound)
            let (reader, values) = (sorting.field.reader, slots.internedValues)
            slots.look(at: sorting.next..<end) { index, slot in
                guard matches(index, slot, in: &listing, at: now) else { return }
                sorting.found += 1
                let value = sorting.results.of(slot, values) { SortValue($0.flatMap(reader)) }
                let position = ListPosition(isPinned: slot.isPinned, address: slot.address)
                sorting.lowest.add(SortKey(value: value, position: position))
            }
            sorting.next = end
            guard end == slots.bound else { return listing.sorting = sorting }
            if listing.count.isWanted { listing.total = sorting.found }
            listing.count = .unwanted
            sorting.sorted = sorting.lowest.sorted()
            sorting.results.forget()
        }
        fill(&listing, from: &sorting, at: now)
        listing.sorting = sorting
        listing.step = .done
    }

    private func fill(_ listing: inout Listing, from sorting: inout Sorting, at now: Instant) {
        var attempt = NextAttempt()
        let page = sorting.sorted.prefix(listing.query.limit)
        for key in page {
            // The entry may have changed since its key was collected.
            guard let index = slots.index(of: key.position.address),
                matches(index, slots.peek(index), in: &listing, at: now)
            else { continue }
            listing.entries.append(view(of: index, at: now, sharing: &attempt))
        }
        sorting.last = page.last ?? sorting.last
        sorting.sorted = sorting.sorted.dropFirst(page.count)
        listing.hasMore = !sorting.sorted.isEmpty || !sorting.lowest.isComplete
        if sorting.sorted.isEmpty {
            sorting = Sorting(sorting.field, after: sorting.last, in: listing.query)
        }
    }
}

extension Keeper.Listing {
    /// Returns the cursor of the next page; nil if the page is empty.
    func cursor(total: Int) -> ListCursor? {
        guard let sorting else { return last.map { ListCursor(position: $0, total: total) } }
        return sorting.last.map { key in
            ListCursor(position: key.position, total: total, sort: .init(field: sorting.field, value: key.value))
        }
    }
}
