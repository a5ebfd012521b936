import OrderedCollections

/// Changes to pins, tags and notes, and retries that clients request.
extension Keeper {
    /// Retries entries without a fresh record now, regardless of their backoff. Calls are still sent only as the quota
    /// allows.
    mutating func refresh(_ addresses: [IPAddress]?, for request: Request, at now: Instant) {
        guard request.isByAdministrator else {
            return emit(.answer(request.id, .refused(.permissionDenied)))
        }
        var indices: [Int] = []
        for address in OrderedSet(addresses ?? []) {
            guard let index = slots.index(of: address), slots.peek(index).isWatched else {
                return emit(.answer(request.id, .refused(.notWatched(address))))
            }
            indices.append(index)
        }
        if addresses == nil { indices = slots.inUse.filter { slots.peek($0).isWatched } }
        var scheduled = 0
        for index in indices where !slots.peek(index).isSpecialPurpose && !isFresh(index, at: now) {
            scheduled += 1
            guard slots.activity(of: index) == .resting, slots.retryAt(of: index) != nil else { continue }
            change(index, at: now) { $0.retryAt = nil }
            place(index, at: now)
        }
        if scheduled > 0 { provider.retryNow() }
        emit(.answer(request.id, .refreshing(scheduled, fresh: indices.count - scheduled)))
    }
}

extension Watch {
    /// Returns this entry with changed labels. Labels from a file's line are marked as overridden when a client
    /// replaces them.
    func applying(_ change: LabelChange) -> Watch {
        var watch = self
        watch.isPinned = change.isPinned ?? isPinned
        watch.tags = Set(tags).subtracting(change.removeTags).union(change.addTags).sorted()
        if let note = change.note { watch.note = note.isEmpty ? nil : note }
        if byFile {
            if !change.removeTags.isDisjoint(with: tags) { watch.overrides.insert(.tags) }
            if watch.note != note { watch.overrides.insert(.note) }
        }
        return watch
    }
}
