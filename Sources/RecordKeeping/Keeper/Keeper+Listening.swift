/// Listeners: publishing events to them, and sending kept events from the store.
extension Keeper {
    /// Adds a listener, and reads kept events for it if any follow its cursor.
    mutating func listen(_ client: Request, after: Int64?, _ selection: EventSelection) {
        let (request, limit) = (client.id, settings.capacity.listeners(for: client))
        guard subscriptions.listeners.count < limit else {
            return emit(.answer(request, .refused(.tooMany(limit: limit, .listeners))))
        }
        if let after, after < 0 || after > commitQueue.lastSeq {
            return emit(.answer(request, .refused(.invalidCursor)))
        }
        subscriptions.add(request, Subscriptions.Listener(selection: selection))
        if let after, after < commitQueue.lastSeq { read(for: request, after: after) }
    }

    private mutating func read(for request: Request.ID, after: Int64) {
        subscriptions.update(request, readUpTo: after)
        emit(.readEvents(request, after: after, limit: Limits.eventsPerRead))
    }

    /// Sends a page of kept events to a listener, and reads the next page if there is one.
    mutating func eventsRead(_ request: Request.ID, _ page: EventPage, at now: Instant) {
        guard let listener = subscriptions.listeners[request], let readUpTo = listener.readUpTo else { return }
        // Events that are on disk but not published yet reach the listener when they are published.
        let events = page.events.prefix { ($0.seq ?? 0) <= commitQueue.lastSeq }
        // Only the oldest events are ever deleted, and seqs otherwise have no gaps, so a gap means that events after
        // the cursor have been deleted.
        let first = min(page.seqs?.lowerBound ?? .max, commitQueue.lastSeq + 1)
        guard first == readUpTo + 1 else {
            subscriptions.remove(request)
            return emit(.answer(request, .refused(.eventsGone(oldest: first))))
        }
        for event in events where selects(listener, event, at: now) { emit(.publish(event, nil, to: [request])) }
        let last = page.seqs?.upperBound ?? readUpTo
        if last >= commitQueue.lastSeq {
            subscriptions.update(request, readUpTo: nil)
        } else {
            read(for: request, after: last)
        }
    }

    private func selects(_ listener: Subscriptions.Listener, _ event: PublishedEvent, at now: Instant) -> Bool {
        let isSelected = listener.selection.matches(event) { address in
            slots.index(of: address).map { slots.peek($0).tags(slots.internedValues) } ?? []
        }
        guard isSelected, let filter = listener.selection.filter, let address = event.address else { return isSelected }
        guard let index = slots.index(of: address) else { return false }
        var matcher = EntryMatcher([filter], isCaching: false)
        return matches(index, slots.peek(index), &matcher, at: now)
    }

    /// Refuses a request whose data could not be read, and removes it if it is a listener.
    mutating func unreadable(_ request: Request.ID, _ reason: String) {
        subscriptions.remove(request)
        selections[request] = nil
        histories[request] = nil
        emit(.answer(request, .refused(.storeFailed(reason))))
    }

    /// Publishes an event, in one effect, to the listeners whose filters match it. A listener that is still reading
    /// kept events receives this event from the store later.
    mutating func publish(_ event: PublishedEvent, at now: Instant) {
        var recipients: [Request.ID] = []
        for request in subscriptions.order {
            guard let listener = subscriptions.listeners[request], listener.readUpTo == nil,
                selects(listener, event, at: now)
            else { continue }
            recipients.append(request)
        }
        guard !recipients.isEmpty else { return }
        var attempt = NextAttempt()
        let entry = event.kind.hasEntry ? event.address.map { view(of: $0, at: now, sharing: &attempt) } : nil
        emit(.publish(event, entry, to: recipients))
    }
}
