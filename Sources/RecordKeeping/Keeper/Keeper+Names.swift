/// Watched host names: their resolutions, and the entries of their addresses.
///
/// Each name is resolved once per interval. If the answer differs from the last one, a commit adds the new addresses to
/// the watch list and removes those that no name, client or file has any more. A failed resolution keeps the addresses
/// of the last answer, because a failing resolver must not delete data. While the disk is failing, names are not
/// resolved, because an answer that waits for the disk becomes outdated.
extension Keeper {
    // MARK: Resolutions

    /// Whether names are resolved when they are due.
    private var resolvesNames: Bool { phase == .running && !commitQueue.isFailing }

    /// Begins the resolutions that are due.
    mutating func resolveNames(at now: Instant) {
        guard resolvesNames else { return }
        while let name = names.beginResolution(at: now.boot) { emit(.resolveName(name)) }
    }

    /// Sets the timer for the next resolution.
    mutating func awaitNames() {
        let next = resolvesNames ? names.nextDeadline : nil
        guard let next else { return schedule.remove(TimerID.names.id) }
        schedule.set(TimerID.names.id, to: next)
    }

    /// Handles the result of a resolution. A result that changes nothing needs no commit. While the disk is failing,
    /// other results are dropped, and their names remain due.
    ///
    /// - Parameter family: the family whose addresses could not be queried. The name keeps those that it has.
    mutating func nameResolved(
        _ name: HostName, _ answer: NameAnswer, unanswered family: IPAddress.Family?, at now: Instant
    ) {
        names.endResolution(of: name, at: now.boot)
        guard phase == .running, let row = names[name], row.activity != .committing else { return }
        switch answer.completed(with: row.watch.addresses, of: family) {
        case .addresses(let addresses):
            guard row.watch.failure != nil || row.watch.answeredAt == nil || addresses != row.watch.addresses else {
                return names.rest(name, answeredAt: now.wall, interval: settings.interval, at: now.boot)
            }
        case .failed:
            guard row.watch.failure == nil else { return restAfterFailure(name, at: now) }
        }
        guard !commitQueue.isFailing else { return }
        names.commit(name)
        commitQueue.add(.nameResolved(name, answer, unanswered: family, at: now.wall))
    }

    private mutating func restAfterFailure(_ name: HostName, at now: Instant) {
        let backoff = Backoff(cap: settings.interval)
        var random = random
        names.restAfterFailure(name, at: now.boot) { backoff.delay(afterAttempts: $0, random: &random) }
        self.random = random
    }

    /// Applies the names of a commit that is on disk.
    mutating func installNames(of pending: PendingCommit, at now: Instant) {
        for (name, watch) in pending.names.changed.sorted(by: { $0.key < $1.key }) {
            if pending.names.removed.contains(name) { names.remove(name) }
            guard let watch else { continue }
            names.set(name, to: watch, at: now.boot)
            guard names[name]?.activity == .committing, pending.names.resolved.contains(name) else { continue }
            if watch.failure == nil, let answeredAt = watch.answeredAt {
                names.rest(name, answeredAt: answeredAt, interval: settings.interval, at: now.boot)
            } else {
                restAfterFailure(name, at: now)
            }
        }
    }

    // MARK: Applying an answer

    /// Adds the result of a resolution to the pending commit, unless the name was removed while the result was queued.
    mutating func applyResolution(
        of name: HostName, _ answer: NameAnswer, unanswered family: IPAddress.Family?, at time: WallTime,
        into pending: inout PendingCommit, at now: Instant
    ) {
        guard let old = watchedName(name, in: pending) else { return }
        var new = old
        switch answer.completed(with: old.addresses, of: family) {
        case .addresses(let addresses):
            let added = addresses.filter { !old.addresses.contains($0) }
            let unwatched = added.count { entry($0, in: pending)?.watch == nil }
            guard tally.watched + unwatched <= Limits.watchedAddresses else {
                let limit = "the watch list can have at most \(Limits.watchedAddresses) addresses"
                return applyResolution(of: name, .failed(limit), unanswered: nil, at: time, into: &pending, at: now)
            }
            (new.addresses, new.answeredAt, new.failure) = (addresses, time, nil)
            if old.failure != nil { pending.keep(.nameRecovered, at: now.wall, name: name) }
            let removed = old.addresses.filter { !addresses.contains($0) }
            pending.put(new, as: name, replacing: old)
            for address in removed {
                pending.keep(.addressRemoved, at: now.wall, address: address, name: name)
                leave(address, name, because: "\(name) no longer has this address", into: &pending, at: now)
            }
            for address in added {
                pending.keep(.addressAdded, at: now.wall, address: address, name: name)
                join(address, new, into: &pending, at: now)
            }
            changesLeft -= addresses.count + removed.count
        case .failed(let reason):
            new.failure = old.failure ?? NameFailure(reason: reason, since: time)
            if old.failure == nil { pending.keep(.nameFailed, at: now.wall, message: reason, name: name) }
            pending.put(new, as: name, replacing: old)
        }
        pending.noteResolved(name)
    }

    /// Returns the name as it will be after the pending commit; nil if it will not be watched.
    func watchedName(_ name: HostName, in pending: PendingCommit) -> WatchedName? {
        pending.names.changed[name] ?? names[name]?.watch
    }

    /// Whether a name will have the address after the pending commit.
    private func isNamed(_ address: IPAddress, in pending: PendingCommit) -> Bool {
        names.holders(of: address) + pending.names.holderChange(of: address) > 0
    }

    /// Adds an address of a name to the watch list, with the labels of the name.
    func join(
        _ address: IPAddress, _ name: WatchedName, by user: UInt32? = nil, into pending: inout PendingCommit,
        at now: Instant
    ) {
        let old = entry(address, in: pending) ?? Entry()
        // Labels that the entry has already take precedence, and the limit of tags holds.
        let hasSpace = Set((old.watch?.tags ?? []) + name.tags).count <= Limits.tagsPerEntry
        let watch = old.watch.adding(
            Watch(
                byClient: false, byName: true, tags: hasSpace ? name.tags : [],
                note: old.watch?.note == nil ? name.note : nil))
        guard !old.watch.isExactly(watch) else { return }
        self.watch(address, old, as: watch, by: user, into: &pending, at: now)
    }

    /// Removes an address from the watch list after a name has lost it, unless another name has it, a client has added
    /// it, or a file lists it.
    func leave(
        _ address: IPAddress, _ name: HostName, by user: UInt32? = nil, because reason: String,
        into pending: inout PendingCommit, at now: Instant
    ) {
        guard !isNamed(address, in: pending), var entry = entry(address, in: pending), var watch = entry.watch,
            watch.byName
        else { return }
        watch.byName = false
        guard watch.byClient || watch.byFile else {
            return unwatch(address, entry, by: user, because: reason, into: &pending, at: now)
        }
        entry.watch = watch
        put(address, entry, into: &pending)
    }

    // MARK: Restoring

    /// Restores the stored names. Their entries have been restored already, without a mark that a name has them. If the
    /// entry of an address is missing, the first answer adds it again.
    mutating func restore(_ saved: [SavedName], at now: Instant) {
        for saved in saved {
            var watch = saved.watch
            watch.addresses = Set(watch.addresses).sorted().filter { address in
                slots.index(of: address).map { slots.peek($0).isWatched } ?? false
            }
            names.set(saved.name, to: watch, at: now.boot)
            for address in watch.addresses {
                guard let index = slots.index(of: address), !slots.peek(index).isByName else { continue }
                change(index, at: now) { $0.entry.watch?.byName = true }
            }
        }
    }

    // MARK: Invariants

    /// Returns a description of each invariant of the names that does not hold.
    func checkNames() -> [String] {
        var broken = names.checkInvariants()
        // While a commit is being applied in portions, only some of its entries are up to date.
        guard phase != .starting, commitQueue.isIdle else { return broken }
        for address in names.addresses where slots.index(of: address).map({ slots.peek($0).isByName }) != true {
            broken.append("\(address) belongs to a name, but is not marked")
        }
        let marked = slots.inUse.count { slots.peek($0).isByName }
        if marked != names.addresses.count {
            broken.append("\(marked) entries belong to names, which have \(names.addresses.count) addresses")
        }
        if phase == .running, names.rows.values.contains(where: { $0.activity == .committing }) {
            broken.append("the result of a resolution is not being committed")
        }
        if schedule.contains(TimerID.names.id) != (resolvesNames && names.nextDeadline != nil) {
            broken.append("the timer `names` does not match the names")
        }
        return broken
    }
}

extension NameAnswer {
    /// Returns the answer with the previous addresses of the family that could not be queried, in order and without
    /// duplicates. No addresses, or more than `Limits.addressesPerName`, are a failure. A failure stays a failure.
    fileprivate func completed(with previous: [IPAddress], of family: IPAddress.Family?) -> NameAnswer {
        guard case .addresses(let addresses) = self else { return self }
        let unique = Set(addresses + previous.filter { $0.family == family })
        guard !unique.isEmpty else { return .failed("no addresses found") }
        guard unique.count <= Limits.addressesPerName else {
            return .failed("\(unique.count) addresses found; a name can have at most \(Limits.addressesPerName)")
        }
        return .addresses(unique.sorted())
    }
}
