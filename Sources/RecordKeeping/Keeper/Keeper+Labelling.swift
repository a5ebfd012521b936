/// Pins, tags and notes; and trying again at somebody's wish.
extension Keeper {
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
