/// Lists that are ordered by a field of the record.
///
/// There is no index of the fields. For each page, all entries are checked in memory order, and the keys that come next
/// are collected. For replies that consist of many pages, several pages are collected at once.
extension Keeper {
    /// The progress of one pass over the entries.
    struct Sorting: Sendable {
        let order: FieldOrder
        /// The slot from which to continue.
        var next = 0
        /// The number of matches so far.
        var found = 0
        var lowest: LowestKeys
        /// The value of each interned place or network so far, if the field is part of one of them.
        var known = InternedResults<SortValue>()
        /// The keys after this page that the last pass has found.
        var sorted: ArraySlice<SortKey> = []
        /// The key of the last entry of the page.
        var last: SortKey?

        init(_ order: FieldOrder, after start: SortKey?, in query: ListQuery) {
            self.order = order
            last = start
            lowest = LowestKeys(after: start, capacity: query.isWhole ? 5 * query.limit : query.limit + 1)
        }
    }

    /// Adds the next entries to the keys, and fills the page if they were the last ones.
    func sort(_ listing: inout Listing, at now: Instant) {
        guard var sorting = listing.sorting else { return listing.step = .done }
        // A second reference would make each turn copy the keys and the known values.
        listing.sorting = nil
        if sorting.sorted.isEmpty {
            let end = min(sorting.next + Limits.entriesPerCount, slots.bound)
            let (field, isDescending) = (sorting.order.field, sorting.order.isDescending)
            let (reader, part, values) = (field.reader, field.internedPart, slots.internedValues)
            slots.look(at: sorting.next..<end) { index, slot in
                guard matches(index, slot, in: &listing, at: now) else { return }
                sorting.found += 1
                func read() -> SortValue { SortValue(slots.answer(of: index)?.record.flatMap(reader)) }
                let value =
                    switch part {
                    case .place: sorting.known.of(slot.place, in: values.places, read)
                    case .network: sorting.known.of(slot.network, in: values.networks, read)
                    case nil: read()
                    }
                let position = ListPosition(isPinned: slot.isPinned, address: slot.address)
                sorting.lowest.add(SortKey(value: value, position: position, isDescending: isDescending))
            }
            sorting.next = end
            guard end == slots.bound else { return listing.sorting = sorting }
            if listing.count.isWanted { listing.total = sorting.found }
            listing.count = .unwanted
            sorting.sorted = sorting.lowest.sorted()
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
            sorting = Sorting(sorting.order, after: sorting.last, in: listing.query)
        }
    }
}

extension Keeper.Listing {
    /// Returns the cursor of the next page; nil if the page is empty.
    func cursor(total: Int) -> ListCursor? {
        guard let sorting else { return last.map { ListCursor(position: $0, total: total) } }
        return sorting.last.map { key in
            ListCursor(position: key.position, total: total, sort: .init(sorting.order, value: key.value))
        }
    }
}
