/// Watched addresses from the configuration and the watch-list files.
extension Keeper {
    /// Queues a reload of the lists, or begins its preview.
    mutating func listsRead(_ reading: ListReading, at now: Instant) {
        let isAwaited = readingRequests.contains { $0 == reading.request }
        readingRequests.removeAll { $0 == reading.request }
        // The lists are read again at the next startup, so a reload that arrives during the shutdown is ignored.
        // `terminate` has answered its request.
        guard phase == .running else { return }
        guard reading.isPreview else { return commitQueue.add(reading) }
        // A client that has disconnected does not need the preview, and nothing would continue it.
        if isAwaited { preview(reading, at: now) }
    }

    /// Refuses a reload request whose lists could not be read.
    mutating func listsUnreadable(_ request: Request.ID?, _ reason: String) {
        readingRequests.removeAll { $0 == request }
        if phase == .running, let request { emit(.answer(request, .refused(.reloadFailed(reason)))) }
    }

    /// Adds the next portions of the first reload to the pending commit, as far as the turn allows.
    ///
    /// - Returns: false if no part of the reload can be added before the pending commit is on disk.
    mutating func goOnReading(in pending: inout PendingCommit, at now: Instant) -> Bool {
        // During the shutdown, reloads are dropped, and the rest of a partly prepared reload is not added.
        guard let first = commitQueue.readings.first else { return false }
        var reading = pending.reading ?? first
        guard reading.step != .done else { return false }
        do throws(RefusedReading) {
            try advance(&reading, in: &pending, at: now)
            pending.reading = reading
        } catch {
            refuse(reading, error)
        }
        return true
    }

    /// Adds the next portion of a reload to a commit.
    ///
    /// - Throws: the reason for refusing the reload, which then changes nothing.
    mutating func advance(
        _ reading: inout PendingReading, in pending: inout PendingCommit, at now: Instant
    ) throws(RefusedReading) {
        if reading.step == .judging {
            let leaving = leavingIfRefused(reading)
            guard leaving == 0 else { throw RefusedReading(listed: leaving) }
            reading.step = .adding
            if reading.hasFileEntries, hasFileEntries != true { pending.saveFileEntries(true) }
        }
        switch reading.step {
        case .adding: add(&reading, into: &pending, at: now)
        case .removing(let next): remove(absentFrom: &reading, fromSlot: next, into: &pending, at: now)
        case .judging, .done: break
        }
        if reading.step == .done { finish(reading, in: &pending) }
    }

    private func finish(_ reading: PendingReading, in pending: inout PendingCommit) {
        // Entries from files stay on the watch list as long as even one file cannot be read.
        if reading.isComplete, !reading.hasFileEntries, hasFileEntries != false { pending.saveFileEntries(false) }
        for request in reading.requests { pending.answer(request, Self.answer(to: reading)) }
    }

    // MARK: Refusing

    /// Returns the number of listed addresses that would leave the watch list, if the reload has to be refused for that
    /// reason; otherwise 0.
    ///
    /// A missing or empty directory is more likely than the intention to remove all entries of its files. The same
    /// applies to a reload that finds no address in the configuration either.
    private func leavingIfRefused(_ reading: PendingReading) -> Int {
        guard reading.isComplete, !reading.isForced, !reading.hasFileEntries else { return 0 }
        guard hasFileEntries != false || reading.addresses.isEmpty else { return 0 }
        return tally.listed - reading.addresses.count { slots.index(of: $0).map { slots.peek($0).isByFile } ?? false }
    }

    /// Ends a refused reload, which changes nothing and therefore needs no commit.
    private mutating func refuse(_ reading: PendingReading, _ reason: RefusedReading) {
        commitQueue.dropFirstReading()
        emit(.logRefusedReading(listed: reason.listed))
        for request in reading.requests { emit(.answer(request, .refused(.reloadFailed("\(reason)")))) }
    }

    // MARK: Applying

    private mutating func add(_ reading: inout PendingReading, into pending: inout PendingCommit, at now: Instant) {
        guard let lines = reading.nextPortion() else {
            reading.step = reading.isComplete ? .removing(nextSlot: 0) : .done
            return
        }
        changesLeft -= lines.count
        for line in lines {
            let old = entry(line.address, in: pending) ?? Entry()
            let watch = old.watch.adding(line)
            guard !old.watch.isExactly(watch) else { continue }
            if let old = old.watch {
                reading.noteChanged(line.address, from: old, to: watch)
            } else {
                reading.noteAdded(line.address)
            }
            self.watch(line.address, old, as: watch, by: nil, into: &pending, at: now)
        }
    }

    /// Removes from the watch list the addresses that are no longer in the lists.
    ///
    /// Each slot is checked once: earlier reloads are fully applied before this one begins, and nothing else puts a
    /// listed address into a slot.
    private mutating func remove(
        absentFrom reading: inout PendingReading, fromSlot first: Int, into pending: inout PendingCommit,
        at now: Instant
    ) {
        var next = first
        while next < slots.bound, changesLeft > 0 {
            let end = min(next + Limits.slotsPerChange, slots.bound)
            changesLeft -= 1
            for index in next..<end where slots.isInUse(index) && slots.peek(index).isByFile {
                let address = slots.peek(index).address
                guard !reading.addresses.contains(address) else { continue }
                changesLeft -= 1
                unlist(address, from: &reading, into: &pending, at: now)
            }
            next = end
        }
        reading.step = next < slots.bound ? .removing(nextSlot: next) : .done
    }

    /// Removes an address from the watch list, unless a client has also added it, or a watched host name resolves to
    /// it.
    private func unlist(
        _ address: IPAddress, from reading: inout PendingReading, into pending: inout PendingCommit, at now: Instant
    ) {
        guard var entry = entry(address, in: pending), let old = entry.watch, old.byFile else { return }
        var watch = old
        (watch.byFile, watch.overrides) = (false, [])
        entry.watch = watch
        if watch.byClient || watch.byName {
            reading.noteChanged(address, from: old, to: watch)
            put(address, entry, into: &pending)
        } else {
            reading.noteRemoved(address)
            unwatch(address, entry, by: nil, into: &pending, at: now)
        }
    }

    private static func answer(to reading: PendingReading) -> Response {
        guard reading.preview == nil, let first = reading.problems.first else {
            return .reloaded(
                added: reading.added, changed: reading.changed, removed: reading.removed, preview: reading.preview)
        }
        let count = reading.problems.count
        let others = count == 1 ? "" : " (and \(count - 1) more, see the journal)"
        let changed = reading.changed == 0 ? "" : " \(reading.changed) changed,"
        let changes = "\(reading.added) added,\(changed) \(reading.removed) removed"
        return .refused(.reloadFailed("reloaded with errors: \(first)\(others); the rest was applied: \(changes)"))
    }
}

extension Watch? {
    /// Returns this entry merged with the tags and the note of a line, except those that a client has replaced.
    fileprivate func adding(_ line: ListedAddress) -> Watch {
        let overrides = self?.overrides ?? []
        return adding(
            Watch(
                byClient: false, byFile: true, tags: overrides.contains(.tags) ? [] : line.tags,
                note: overrides.contains(.note) ? nil : line.note))
    }
}
