/// Replies to `History` requests.
///
/// To find the changes of matching entries, or of many addresses, the store reads the changes of all entries, newest
/// first, and the keeper checks the entry of each change. The newest changes usually fill the page after a few reads,
/// whereas the addresses of all matching entries would take time and memory in proportion to the watch list.
extension Keeper {
    /// The progress of a `History` request.
    struct HistoryReading: Sendable {
        /// The changes that are read next, and the number of changes on the page.
        var query: ChangeQuery
        /// The conditions for the entries; nil if the store selects the changes by address.
        var matcher: EntryMatcher?
        var found: [PublishedEvent] = []
        /// The number of reads so far.
        var reads = 0

        init(_ query: ChangeQuery, matching filter: EntryFilter?) {
            self.query = query
            guard !query.isOfFewAddresses else { return }
            if let addresses = query.addresses {
                self.query.addresses = nil
                var ofAddresses = EntryFilter()
                ofAddresses.addresses = Set(addresses)
                matcher = EntryMatcher([ofAddresses])
            } else {
                matcher = EntryMatcher(filter.map { [$0] } ?? [])
            }
        }
    }

    /// Begins to answer a `History` request.
    mutating func history(_ query: ChangeQuery, matching filter: EntryFilter?, for request: Request.ID) {
        let other = query.addresses?.first { address in
            !(slots.index(of: address).map { slots.peek($0).isWatched } ?? false)
        }
        if let other { return emit(.answer(request, .refused(.notWatched(other)))) }
        read(HistoryReading(query, matching: filter), for: request)
    }

    private mutating func read(_ reading: HistoryReading, for request: Request.ID) {
        var query = reading.query
        if reading.matcher != nil { query.limit = Limits.changesPerRead }
        emit(.readChanges(request, query))
        histories[request] = reading
        histories[request]?.reads += 1
    }

    /// Adds the changes of matching entries to the page, and completes the page or reads on.
    mutating func changesRead(_ request: Request.ID, _ page: ChangePage, at now: Instant) {
        guard selections[request] == nil else { return changesOfSelectionRead(request, page, at: now) }
        // The client may have disconnected.
        guard var reading = histories.removeValue(forKey: request) else { return }
        // The changes that the store has selected are sent as soon as they are read, so that they hold no memory.
        guard var matcher = reading.matcher.take() else { return emit(.answer(request, .changes(page))) }
        for (index, event) in page.events.enumerated() where selects(event, &matcher, at: now) {
            reading.found.append(event)
            guard reading.found.count == reading.query.limit else { continue }
            let isLast = index == page.events.count - 1 && page.next == nil
            return emit(.answer(request, .changes(ChangePage(reading.found, next: isLast ? nil : event.seq))))
        }
        guard let next = page.next, reading.reads < Limits.readsPerHistory else {
            return emit(.answer(request, .changes(ChangePage(reading.found, next: page.next))))
        }
        reading.query.before = next
        reading.matcher = matcher
        read(reading, for: request)
    }

    private func selects(_ event: PublishedEvent, _ matcher: inout EntryMatcher, at now: Instant) -> Bool {
        guard let index = event.address.flatMap({ slots.index(of: $0) }) else { return false }
        return matches(index, slots.peek(index), &matcher, at: now)
    }
}
