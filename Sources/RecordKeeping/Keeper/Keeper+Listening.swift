/// Telling what happens to those who listen.
extension Keeper {
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

    mutating func noticesRead(_ request: Request.ID, _ page: NoticePage) {
        guard let listener = audience.listeners[request], let reading = listener.reading else { return }
        // What is on disk and has not been told to be yet is told like everything that happens from now on.
        let notices = page.notices.prefix { ($0.seq ?? 0) <= ledger.lastSeq }
        // Every seq is kept until it is forgotten for its age: a gap means that the cursor is older than what is kept.
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

    mutating func unreadable(_ request: Request.ID, _ reason: String) {
        audience.stopListening(request)
        emit(.answer(request, .refused(.storeFailed(reason))))
    }

    /// Publishes a notice, in one effect, to the listeners whose filters match it. A listener that is still reading
    /// kept notices reads it from the disk later.
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
