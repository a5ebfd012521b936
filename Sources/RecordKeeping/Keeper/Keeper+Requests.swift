/// What clients ask, and who may.
extension Keeper {
    mutating func take(_ request: Request, at now: Instant) {
        // Changes that came one after the other would keep us from ending for as long as they come.
        guard phase != .finished, phase != .stopping || !request.body.isChange else {
            emit(.answer(request.id, .refused(.storeFailed(Self.stopping))))
            return
        }
        switch request.body {
        case .add, .remove, .label:
            enqueue(request)
        case .show(let addresses, let wait):
            show(addresses, wait: wait, for: request, at: now)
        case .status:
            emit(.answer(request.id, .status(status(at: now))))
        case .monitor(let after, let kinds, let addresses):
            listen(request.id, after: after, kinds: kinds, addresses: addresses)
        case .list(let query):
            list(query, for: request.id, at: now)
        case .refresh(let addresses):
            refresh(addresses, for: request, at: now)
        case .history(let address, let before, let limit):
            guard slots.number(of: address).map({ slots.isWatched($0) }) ?? false else {
                emit(.answer(request.id, .refused(.notWatched(address))))
                return
            }
            emit(.readChanges(request.id, address, before: before, limit: limit))
        case .outages(let before, let limit):
            emit(.readOutages(request.id, before: before, limit: limit))
        case .reload(let isForced):
            guard request.isByAdministrator else {
                emit(.answer(request.id, .refused(.permissionDenied)))
                return
            }
            readingRequests.append(request.id)
            emit(.readLists(request.id, isForced: isForced))
        }
    }

    mutating func leave(_ peer: PeerID) {
        for index in audience.leave(peer) {
            schedule.remove(Alarm.caller(index: index).number)
        }
        for request in listings.keys where request.peer == peer { listings[request] = nil }
        for request in showings.keys where request.peer == peer { showings[request] = nil }
        readingRequests.removeAll { $0.peer == peer }
    }

    // MARK: Changing

    private mutating func enqueue(_ request: Request) {
        if !request.isByAdministrator {
            emit(.answer(request.id, .refused(.permissionDenied)))
        } else if ledger.queuedRequests >= Limits.queuedRequests {
            emit(.answer(request.id, .refused(.tooMany(limit: Limits.queuedRequests))))
        } else {
            ledger.add(.request(request))
        }
    }

    func put(
        _ address: IPAddress, _ old: Entry, _ watch: Watch, into draft: inout Draft, at now: Instant
    ) {
        var entry = old
        entry.watch = watch
        // A lookup's failure is not on disk, and is no failure of the address that is now watched.
        if old.watch == nil, old.scan == nil { entry.failure = nil }
        draft.put(address, entry, scanReplaced: false)
        if old.watch == nil { draft.keep(.added, at: now.wall, address: address) }
    }

    /// Takes an entry off the watch list, with its history.
    ///
    /// A record that is still fresh stays for the rest of its life, as if it had been looked up: adding the address again
    /// must not make a second call within the interval.
    func unwatch(_ address: IPAddress, _ entry: Entry, into draft: inout Draft, at now: Instant) {
        draft.remove(address)
        if let scan = entry.scan, isFresh(entry, at: now) {
            draft.put(address, Entry(scan: scan), scanReplaced: true)
        }
        draft.keep(.removed, at: now.wall, address: address)
    }

    mutating func carryForgetting(_ address: IPAddress, into draft: inout Draft) {
        draft.settle(address)
        guard let entry = entry(address, in: draft), entry.watch == nil else { return }
        draft.remove(address)
    }
}

extension Request.Body {
    /// It waits for the disk.
    fileprivate var isChange: Bool {
        switch self {
        case .add, .remove, .label, .reload: true
        case .show, .status, .list, .refresh, .history, .outages, .monitor: false
        }
    }
}

extension Watch {
    /// This with what another way onto the list adds: tags of both, and the newer note; an empty one is none.
    func merging(_ other: Watch) -> Watch {
        let hasClientsNote = byFile && other.byClient && other.note != nil
        return Watch(
            byClient: byClient || other.byClient, byFile: byFile || other.byFile,
            overrides: hasClientsNote ? overrides.union(.note) : overrides,
            isPinned: isPinned || other.isPinned, tags: Set(tags + other.tags).sorted(),
            note: (other.note ?? note).flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension [IPAddress] {
    /// Each once, where it came first.
    var eachOnce: [IPAddress] {
        var seen = Set<IPAddress>(minimumCapacity: count)
        return filter { seen.insert($0).inserted }
    }
}
