/// Requests about watched host names.
extension Keeper {
    /// Adds a client's change to the watched names to the pending commit.
    ///
    /// A request has at most `Limits.namesPerRequest` names, so that the changes to all their addresses fit into a
    /// turn. A name that does not change counts as well.
    mutating func apply(
        _ change: NameChange, of named: [HostName], for request: Request, into pending: inout PendingCommit,
        at now: Instant
    ) {
        var seen: Set<HostName> = []
        let unique = named.filter { seen.insert($0).inserted }
        changesLeft -= unique.count
        do throws(Refusal) {
            let response =
                switch change {
                case .adding(let tags, let note):
                    try add(unique, tags: tags, note: note, by: request.user, into: &pending, at: now)
                case .removing: try remove(unique, by: request.user, into: &pending, at: now)
                }
            pending.answer(request.id, response)
        } catch {
            pending.answer(request.id, .refused(error))
        }
    }

    private mutating func add(
        _ unique: [HostName], tags: [String], note: String?, by user: UInt32, into pending: inout PendingCommit,
        at now: Instant
    ) throws(Refusal) -> Response {
        let added = unique.filter { watchedName($0, in: pending) == nil }
        guard names.count + pending.names.countChange + added.count <= Limits.watchedNames else {
            throw .tooMany(limit: Limits.watchedNames, .watchedNames)
        }
        let labelled = unique.map { (watchedName($0, in: pending) ?? WatchedName()).labelled(tags: tags, note: note) }
        guard labelled.allSatisfy({ $0.tags.count <= Limits.tagsPerEntry }) else {
            throw .tooMany(limit: Limits.tagsPerEntry, .tagsPerEntry)
        }
        for (name, new) in zip(unique, labelled) {
            let old = watchedName(name, in: pending)
            guard new != old else { continue }
            pending.put(new, as: name, replacing: old)
            if old == nil { pending.keep(.nameAdded, at: now.wall, user: user, name: name) }
            for address in new.addresses { join(address, new, by: user, into: &pending, at: now) }
            changesLeft -= new.addresses.count
        }
        return .namesAdded(added.count, already: unique.count - added.count)
    }

    private mutating func remove(
        _ unique: [HostName], by user: UInt32, into pending: inout PendingCommit, at now: Instant
    ) throws(Refusal) -> Response {
        if let unknown = unique.first(where: { watchedName($0, in: pending) == nil }) { throw .nameNotWatched(unknown) }
        for name in unique {
            guard let old = watchedName(name, in: pending) else { continue }
            pending.remove(name, replacing: old)
            pending.keep(.nameRemoved, at: now.wall, user: user, name: name)
            for address in old.addresses {
                leave(address, name, by: user, because: "\(name) was removed", into: &pending, at: now)
            }
            changesLeft -= old.addresses.count
        }
        return .namesRemoved(unique.count)
    }

    // MARK: Queries

    /// Returns the response with these watched names in the order of the request, or with all names in order.
    func names(_ named: [HostName]?, at now: Instant) -> Response {
        var views: [NameView] = []
        for name in named ?? names.rows.keys.sorted() {
            guard let row = names[name] else { return .refused(.nameNotWatched(name)) }
            var nextAt: WallTime?
            if case .resting(let due) = row.activity, due > now.boot { nextAt = now.wall + (due - now.boot) }
            views.append(
                NameView(
                    name: name, state: row.state(at: now.boot, interval: settings.interval), watch: row.watch,
                    nextAt: nextAt))
        }
        return .names(views)
    }
}

/// A client's change to the watched names.
enum NameChange: Hashable, Sendable {
    case adding(tags: [String], note: String?)
    case removing
}
