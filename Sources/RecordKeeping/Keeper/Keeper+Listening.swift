/// Listeners: publishing events to them, and sending kept events from the store.
extension Keeper {
    /// Adds a listener, and reads kept events for it if there are some after its cursor.
    mutating func listen(
        _ request: Request.ID, after: Int64?, kinds: Set<Notice.Kind>?, addresses: Set<IPAddress>?
    ) {
        guard audience.listeners.count < Limits.listeners else {
            emit(.answer(request, .refused(.tooMany(limit: Limits.listeners))))
            return
        }
        if let after, after < 0 || after > ledger.lastSeq {
            emit(.answer(request, .refused(.invalidCursor)))
            return
        }
        audience.listen(request, Audience.Listener(kinds: kinds, addresses: addresses))
        if let after, after < ledger.lastSeq { read(for: request, after: after) }
    }

    private mutating func read(for request: Request.ID, after: Int64) {
        audience.update(request, reading: .init(after: after, target: ledger.lastSeq))
        emit(.readNotices(request, after: after, limit: Limits.noticesPerRead))
    }

    /// Sends a page of kept events to a listener, and reads the next page if there is one.
    mutating func noticesRead(_ request: Request.ID, _ page: NoticePage) {
        guard let listener = audience.listeners[request], let reading = listener.reading else { return }
        // Events that are on disk but not published yet reach the listener when they are published.
        let notices = page.notices.prefix { ($0.seq ?? 0) <= ledger.lastSeq }
        // Seqs have no gaps except those of deleted events at the beginning, so a gap means that events after the
        // cursor are deleted.
        let first = min(page.seqs?.lowerBound ?? .max, ledger.lastSeq + 1)
        guard first == reading.after + 1 else {
            audience.stopListening(request)
            emit(.answer(request, .refused(.eventsGone(oldest: first))))
            return
        }
        for notice in notices where listener.wants(notice) { emit(.publish(notice, nil, to: [request])) }
        let last = page.seqs?.upperBound ?? reading.after
        if last >= ledger.lastSeq {
            audience.update(request, reading: nil)
        } else {
            read(for: request, after: last)
        }
    }

    /// Refuses a request whose data could not be read, and removes it if it is a listener.
    mutating func unreadable(_ request: Request.ID, _ reason: String) {
        audience.stopListening(request)
        emit(.answer(request, .refused(.storeFailed(reason))))
    }

    /// Publishes an event, in one effect, to the listeners whose filters match it. A listener that is still reading
    /// kept events reads it from the store later.
    mutating func publish(_ notice: Notice, at now: Instant) {
        var recipients: [Request.ID] = []
        for request in audience.listenerOrder {
            guard let listener = audience.listeners[request], listener.wants(notice) else { continue }
            guard listener.reading == nil else { continue }
            recipients.append(request)
        }
        guard !recipients.isEmpty else { return }
        let entry = notice.kind == .refreshed ? notice.address.map { view(of: $0, at: now) } : nil
        emit(.publish(notice, entry, to: recipients))
    }
}
