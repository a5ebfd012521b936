/// Handling of clients' requests, including the check of their permissions.
extension Keeper {
    /// Handles a request: replies to it, or queues it until its result is available.
    mutating func handle(_ request: Request, at now: Instant) {
        // Otherwise, a steady stream of changes would prevent the daemon from shutting down.
        guard phase != .finished, phase != .stopping || !request.body.isChange else {
            return emit(.answer(request.id, .refused(.storeFailed(Self.stopping))))
        }
        switch request.body {
        case .add, .remove, .label, .addNames, .removeNames:
            enqueue(request, at: now)
        case .names(let named): emit(.answer(request.id, names(named, at: now)))
        case .nameHistory(let name, let before, let limit):
            emit(.readNameEvents(request.id, name, before: before, limit: limit))
        case .previewRemoval(let addresses):
            emit(.answer(request.id, previewRemoval(of: addresses)))
        case .show(let addresses, let wait):
            show(addresses, wait: wait, for: request, at: now)
        case .known(let addresses):
            showKnown(addresses, for: request.id, at: now)
        case .status:
            var status = status(at: now)
            (status.user, status.isAdministrator) = (request.user, request.isByAdministrator)
            emit(.answer(request.id, .status(status)))
        case .metrics: emit(.answer(request.id, .metrics(metrics(at: now))))
        case .monitor(let after, let selection):
            listen(request, after: after, selection)
        case .list, .count, .history:
            select(request, at: now)
        case .refresh(let addresses):
            refresh(addresses, for: request, at: now)
        case .outages(let before, let limit):
            emit(.readOutages(request.id, before: before, limit: limit))
        case .reload(let isForced, let isPreview):
            guard request.isByAdministrator else {
                return emit(.answer(request.id, .refused(.permissionDenied)))
            }
            readingRequests.append(request.id)
            emit(.readLists(request.id, isForced: isForced, isPreview: isPreview))
        }
    }

    /// Removes the listeners, listings, histories, counts and waiting requests of a client that has disconnected. Its
    /// queued changes are still made.
    mutating func leave(_ peer: PeerID) {
        subscriptions.removeAll(of: peer)
        let awaited = waiters.pending(of: peer)
        for index in waiters.removeAll(of: peer) {
            schedule.remove(TimerID.caller(index: index).id)
        }
        for address in awaited.sorted() { relax(address) }
        for request in selections.keys where request.peer == peer { selections[request] = nil }
        for request in listings.keys where request.peer == peer { listings[request] = nil }
        for request in histories.keys where request.peer == peer { histories[request] = nil }
        for request in countings.keys where request.peer == peer { countings[request] = nil }
        for request in showings.keys where request.peer == peer { showings[request] = nil }
        readingRequests.removeAll { $0.peer == peer }
        previews.removeAll { $0.requests.contains { $0.peer == peer } }
    }

    // MARK: Changes

    private mutating func enqueue(_ request: Request, at now: Instant) {
        if !request.isByAdministrator {
            emit(.answer(request.id, .refused(.permissionDenied)))
        } else if let until = request.body.end, until <= now.wall {
            emit(.answer(request.id, .refused(.endInPast)))
        } else if commitQueue.queuedRequests >= Limits.queuedRequests {
            emit(.answer(request.id, .refused(.tooMany(limit: Limits.queuedRequests, .queuedChanges))))
        } else {
            // The clock may be set while the request waits, and must not shorten the watch.
            let end = request.body.end.map {
                WatchEnd(until: $0, seenAt: now, elapsed: retention.elapsed(at: now.boot))
            }
            commitQueue.add(.request(request, end: end))
        }
    }

    /// Adds a watched entry to the pending commit, with an `added` event if the address was not watched.
    ///
    /// - Parameter user: the user of the client that causes the change; nil for a line of a watch-list file.
    func watch(
        _ address: IPAddress, _ old: Entry, as watch: Watch, by user: UInt32?, into pending: inout PendingCommit,
        at now: Instant
    ) {
        var entry = old
        entry.watch = watch
        // The failure of a lookup is not on disk, and does not apply to the address once it is watched.
        if old.watch == nil, old.scan == nil { entry.failure = nil }
        put(address, entry, into: &pending)
        if old.watch == nil { pending.keep(.added, at: now.wall, address: address, user: user) }
    }

    /// Removes an entry from the watch list, with its history.
    ///
    /// A fresh record is kept for the rest of its interval, like that of a lookup: if the address is added again, there
    /// must be no second call within the interval.
    ///
    /// - Parameters:
    ///   - user: the user of the client that causes the change; nil if no client does.
    ///   - reason: why the entry is removed, unless a client or a line that left its file is the cause.
    func unwatch(
        _ address: IPAddress, _ entry: Entry, by user: UInt32?, because reason: String? = nil,
        into pending: inout PendingCommit, at now: Instant
    ) {
        let located = located(address)
        let reference = reference(to: located, in: pending)
        pending.remove(located, reference?.id)
        if let reference, let scan = entry.scan, now.boot < retentionEnd(ofScanAt: scan.at, version: scan.version) {
            let lookup = Entry(scan: scan, omissions: entry.omissions)
            pending.put(
                located, .init(id: pending.nextEntryID(), entry: lookup, cohort: reference.cohort),
                cohort: id(ofCohort: reference.cohort, in: pending))
        }
        pending.keep(.removed, at: now.wall, address: address, message: reason, user: user)
    }

    /// Removes a looked-up entry whose record has expired, unless the address is watched by now.
    mutating func applyForgetting(_ address: IPAddress, into pending: inout PendingCommit) {
        let located = located(address)
        pending.resolve(located)
        guard let entry = entry(located, in: pending), entry.watch == nil else { return }
        pending.remove(located, reference(to: located, in: pending)?.id)
    }
}

extension Request.Body {
    /// The time at which the watches that the request begins should end by themselves; nil if there is none.
    fileprivate var end: WallTime? {
        if case .add(_, _, _, let until) = self { until } else { nil }
    }

    /// Whether the request changes the watch list. Such requests are refused while the daemon is shutting down.
    fileprivate var isChange: Bool {
        switch self {
        case .add, .remove, .label, .reload, .addNames, .removeNames: true
        case .previewRemoval, .show, .known, .status, .metrics, .list, .count, .refresh, .history, .outages, .monitor,
            .names, .nameHistory:
            false
        }
    }
}

extension Watch {
    /// Returns this entry with the labels of another source of the same address: the tags of both, and the newer note.
    /// An empty note removes the note.
    func merging(_ other: Watch) -> Watch {
        let hasClientsNote = byFile && other.byClient && other.note != nil
        return Watch(
            byClient: byClient || other.byClient, byFile: byFile || other.byFile, byName: byName || other.byName,
            overrides: hasClientsNote ? overrides.union(.note) : overrides,
            isPinned: isPinned || other.isPinned, end: laterEnd(other),
            tags: Set(tags + other.tags).sorted(),
            note: (other.note ?? note).flatMap { $0.isEmpty ? nil : $0 })
    }

    /// Returns the later end of two clients' watches: a watch never becomes shorter than any client has asked for.
    private func laterEnd(_ other: Watch) -> WatchEnd? {
        guard byClient, other.byClient else { return byClient ? end : other.end }
        guard let end, let otherEnd = other.end else { return nil }
        return end.later(otherEnd)
    }
}
