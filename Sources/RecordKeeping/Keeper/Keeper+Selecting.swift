/// `List`, `Count` and `History` requests whose filters depend on the history, which only the store has.
extension Keeper {
    /// A request whose filter depends on the history, and the addresses with such changes so far.
    struct Selection: Sendable {
        var request: Request
        /// The changes that are read next.
        var query: ChangeQuery
        var addresses: Set<IPAddress> = []
    }

    /// Begins to answer a `List`, `Count` or `History` request, or reads the changes that its filters need.
    mutating func select(_ request: Request, at now: Instant) {
        // Only one of the filters of a request can have this condition.
        guard let filter = request.body.filters.first(where: { $0.needsChanges }) else {
            return begin(request, at: now)
        }
        guard selections.values.count(where: { $0.request.user == request.user }) < Limits.selectionsPerUser else {
            let refusal = Refusal.tooMany(limit: Limits.selectionsPerUser, .waitingRequests)
            return emit(.answer(request.id, .refused(refusal)))
        }
        let query = ChangeQuery(
            since: filter.changedSince, fields: filter.changedFields, limit: Limits.changesPerRead)
        selections[request.id] = Selection(request: request, query: query)
        emit(.readChanges(request.id, query))
    }

    /// Adds the addresses of changes to a selection, and begins to answer its request after the last changes.
    ///
    /// Each read waits for its turn, so that a long history does not delay the reads of other users.
    mutating func changesOfSelectionRead(_ request: Request.ID, _ page: ChangePage, at now: Instant) {
        guard var selection = selections.removeValue(forKey: request) else { return }
        selection.addresses.formUnion(page.events.compactMap(\.address))
        guard let next = page.next else { return complete(selection, at: now) }
        selection.query.before = next
        emit(.readChanges(request, selection.query))
        selections[request] = selection
    }

    private mutating func complete(_ selection: Selection, at now: Instant) {
        var request = selection.request
        request.body.filters = request.body.filters.map { filter in
            guard filter.needsChanges else { return filter }
            var complete = filter
            complete.addresses = selection.addresses
            return complete
        }
        begin(request, at: now)
    }

    private mutating func begin(_ request: Request, at now: Instant) {
        switch request.body {
        case .list(let query): list(query, for: request.id, at: now)
        case .count(let query): count(query, for: request.id, at: now)
        case .history(let query, let filter): history(query, matching: filter, for: request.id)
        case .add, .remove, .addNames, .removeNames, .names, .nameHistory, .previewRemoval, .show, .known, .status,
            .metrics, .label, .refresh, .outages, .reload, .monitor:
            break
        }
    }
}

extension EntryFilter {
    /// Whether the condition `changedFields` has not been resolved to addresses.
    fileprivate var needsChanges: Bool { changedFields != nil && addresses == nil }
}

extension Request.Body {
    /// The filters of a `List`, `Count` or `History` request.
    fileprivate var filters: [EntryFilter] {
        get {
            switch self {
            case .list(let query): query.filters
            case .count(let query): query.filter.map { [$0] } ?? []
            case .history(_, let filter): filter.map { [$0] } ?? []
            case .add, .remove, .addNames, .removeNames, .names, .nameHistory, .previewRemoval, .show, .known, .status,
                .metrics, .label, .refresh, .outages, .reload, .monitor:
                []
            }
        }
        set {
            switch self {
            case .list(var query):
                query.filters = newValue
                self = .list(query)
            case .count(var query):
                query.filter = newValue.first
                self = .count(query)
            case .history(let query, _): self = .history(query, matching: newValue.first)
            case .add, .remove, .addNames, .removeNames, .names, .nameHistory, .previewRemoval, .show, .known, .status,
                .metrics, .label, .refresh, .outages, .reload, .monitor:
                break
            }
        }
    }
}
