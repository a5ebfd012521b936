/// Pins, tags and notes; and trying again at somebody's wish.
extension Keeper {
    /// All or none: whatever could be refused is looked at before the first entry changes.
    func label(_ addresses: [IPAddress], _ change: LabelChange, into draft: inout Draft) throws(Refusal) -> Int {
        var changed: [(IPAddress, Entry)] = []
        for address in addresses {
            guard var entry = entry(address, in: draft), let old = entry.watch else { throw .notWatched(address) }
            let watch = old.applying(change)
            guard watch.tags.count <= Limits.tagsPerEntry else { throw .tooMany(limit: Limits.tagsPerEntry) }
            guard watch != old else { continue }
            entry.watch = watch
            changed.append((address, entry))
        }
        for (address, entry) in changed { draft.put(address, entry, scanReplaced: false) }
        return changed.count
    }

    /// Tries again now what is not fresh, without waiting for its backoff. Nothing goes out sooner than the quota allows.
    mutating func refresh(_ addresses: [IPAddress]?, for request: Request, at now: Instant) {
        guard request.isByAdministrator else {
            emit(.answer(request.id, .refused(.permissionDenied)))
            return
        }
        var numbers: [Int] = []
        for address in addresses?.eachOnce ?? [] {
            guard let number = slots.number(of: address), slots.isWatched(number) else {
                emit(.answer(request.id, .refused(.notWatched(address))))
                return
            }
            numbers.append(number)
        }
        if addresses == nil { numbers = slots.inUse.filter { slots.isWatched($0) } }
        var scheduled = 0
        for number in numbers where !slots.peek(number).isSpecialPurpose && !isFresh(number, at: now) {
            scheduled += 1
            guard slots.activity(of: number) == .resting, slots.retryAt(of: number) != nil else { continue }
            change(number, at: now) { $0.retryAt = nil }
            place(number, at: now)
        }
        // Where it refused for want of quota and did not say until when, nobody's wish makes it any better.
        if scheduled > 0, provider.state != .throttled { provider.retryNow() }
        emit(.answer(request.id, .refreshing(scheduled, fresh: numbers.count - scheduled)))
    }
}

extension Watch {
    fileprivate func applying(_ change: LabelChange) -> Watch {
        var watch = self
        watch.isPinned = change.isPinned ?? isPinned
        watch.tags = Set(tags).subtracting(change.removeTags).union(change.addTags).sorted()
        if let note = change.note { watch.note = note.isEmpty ? nil : note }
        return watch
    }
}
