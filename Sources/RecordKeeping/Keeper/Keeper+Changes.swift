/// Changes by clients. All addresses of a change are checked before the first entry changes. Both steps are done in
/// portions, one per turn.
extension Keeper {
    /// Adds a change to the pending commit. `goOnWithChange(in:at:)` is then called until the whole change is prepared.
    ///
    /// - Parameter end: when the watches that the change begins end by themselves; nil if they do not.
    func begin(_ request: Request, end: WatchEnd?, in pending: inout PendingCommit) {
        switch request.body {
        case .add(let addresses, _, _, _), .remove(let addresses), .label(let addresses, _):
            pending.unfinished = ChangeProgress(request, naming: addresses, end: end)
        case .addNames, .removeNames, .names, .nameHistory, .previewRemoval, .show, .known, .status, .metrics, .monitor,
            .list, .count, .refresh, .history, .outages,
            .reload:
            preconditionFailure("not a change to the watch list")
        }
    }

    /// Prepares as much of the unfinished change as the turn allows.
    ///
    /// - Returns: false if the pending commit has no unfinished change.
    mutating func goOnWithChange(in pending: inout PendingCommit, at now: Instant) -> Bool {
        // The change is moved out of the pending commit, so that its collections are not copied each turn.
        guard var change = pending.unfinished.take() else { return false }
        do throws(Refusal) {
            if case .checking(let next) = change.step { try check(&change, from: next, in: pending) }
            if case .applying(let next) = change.step { apply(&change, from: next, into: &pending, at: now) }
        } catch {
            pending.answer(change.request.id, .refused(error))
            return true
        }
        if case .applying(let next) = change.step, next == change.addresses.count {
            pending.answer(change.request.id, answer(to: change))
        } else {
            pending.unfinished = change
        }
        return true
    }

    private func answer(to change: ChangeProgress) -> Response {
        switch change.request.body {
        case .add: .added(change.added, already: change.addresses.count - change.added, ends: change.ends)
        case .remove: .removed(change.changed, staying: change.staying)
        default: .labelled(change.changed)
        }
    }

    // MARK: Checking

    private mutating func check(
        _ change: inout ChangeProgress, from next: Int, in pending: PendingCommit
    ) throws(Refusal) {
        let end = min(next + max(1, changesLeft), change.named.count)
        for address in change.named[next..<end] where change.note(address) {
            try check(address, for: &change, in: pending)
        }
        changesLeft -= end - next
        change.step = .checking(next: end)
        guard end == change.named.count else { return }
        guard tally.watched + change.added <= Limits.watchedAddresses else {
            throw .tooMany(limit: Limits.watchedAddresses, .watchedAddresses)
        }
        change.step = .applying(next: 0)
    }

    private func check(
        _ address: IPAddress, for change: inout ChangeProgress, in pending: PendingCommit
    ) throws(Refusal) {
        let old = entry(address, in: pending)?.watch
        guard let watch = change.watch(from: old) else { throw .notWatched(address) }
        guard watch.tags.count <= Limits.tagsPerEntry else { throw .tooMany(limit: Limits.tagsPerEntry, .tagsPerEntry) }
        if old == nil { change.added += 1 }
    }

    // MARK: Applying

    private mutating func apply(
        _ change: inout ChangeProgress, from next: Int, into pending: inout PendingCommit, at now: Instant
    ) {
        let end = min(next + max(0, changesLeft), change.addresses.count)
        if next == 0 { pending.reserveCapacity(change.addresses.count) }
        for address in change.addresses[next..<end] {
            let isChanged =
                change.isRemoval
                ? remove(address, by: change.request.user, into: &pending, at: now)
                : put(address, for: &change, into: &pending, at: now)
            if isChanged {
                change.changed += 1
            } else if change.isRemoval {
                change.noteStaying(address)
            }
        }
        changesLeft -= end - next
        change.step = .applying(next: end)
    }

    /// Adds an address to the watch list, or changes its labels.
    ///
    /// - Returns: whether the address was on the list before and its labels have changed.
    private func put(
        _ address: IPAddress, for change: inout ChangeProgress, into pending: inout PendingCommit, at now: Instant
    ) -> Bool {
        let old = entry(address, in: pending) ?? Entry()
        guard let watch = change.watch(from: old.watch) else { return false }
        change.noteEnd(from: old.watch, to: watch)
        guard !old.watch.isExactly(watch) else { return false }
        self.watch(address, old, as: watch, by: change.request.user, into: &pending, at: now)
        return old.watch != nil
    }

    /// Removes an address from the watch list. If the address is also in a file, or if a watched host name resolves to
    /// it, it stays on the list, but no longer counts as added by a client.
    ///
    /// - Parameters:
    ///   - user: the user of the client that removes the address; nil if no client does.
    ///   - reason: why the address is removed, if no client removes it.
    /// - Returns: whether the address leaves the watch list.
    func remove(
        _ address: IPAddress, by user: UInt32?, because reason: String? = nil, into pending: inout PendingCommit,
        at now: Instant
    ) -> Bool {
        guard var entry = entry(address, in: pending), var watch = entry.watch else { return false }
        guard watch.staysWithoutClient else {
            unwatch(address, entry, by: user, because: reason, into: &pending, at: now)
            return true
        }
        guard watch.byClient else { return false }
        (watch.byClient, watch.end) = (false, nil)
        entry.watch = watch
        put(address, entry, into: &pending)
        return false
    }
}

extension Watch? {
    /// Returns this entry of the watch list merged with that of another source; nil stands for an address that is not
    /// on the list yet.
    func adding(_ other: Watch) -> Watch {
        self?.merging(other) ?? other.merging(other)
    }
}
